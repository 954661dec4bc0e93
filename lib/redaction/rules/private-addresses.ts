import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

const CATEGORY = 'PRIVATE_IP';
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const PRIVATE_V4 = `(?:10\\.${OCTET}|192\\.168|172\\.(?:1[6-9]|2\\d|3[01])|169\\.254|100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7]))\\.${OCTET}\\.${OCTET}`;

// Versions of four parts look the same; what stands around them tells.
const NUMBER = '\\d{1,5}(?:\\.\\d{1,5}){1,3}';
const NAME = '[\\w.+:/-]{1,64}';
const VERSION_BEFORE = new RegExp(
  `(?:${[
    '\\bv',
    'version\\s?\\(?["\'=:>\\\\ ]{0,8}',
    '(?:release|firmware|driver|bios|build|patch|chapter|section|clause|appendix|§)s?\\s?[:=]?\\s{0,2}',
    '(?:release|tag|version)s?\\/v?',
    '\\bver\\.?\\s?',
    '(?:>=|<=|~>|~=|\\^)\\s?',
    '(?:requires?|since|as of|pinned (?:to|at)|rolled back to)\\s',
    '(?:upgraded|downgraded|updated|bumped|upgrade|update|bump)(?:\\s[^\\n]{1,64})?\\s(?:to|from)\\s',
    '\\bfrom \\d{1,4}(?:\\.\\d{1,4}){1,3} to ',
    `(?:driver|firmware|version|release|build)\\s${NUMBER}\\s(?:->|→|=>|to)\\s`,
    // What installs packages says which, and which it was.
    `(?:install(?:ing|ed)?|unpacking|setting up|upgrading|configuring)\\s(?!(?:on|at|to|from|in|via|for|host|server)\\s)${NAME}\\s\\(?`,
    `(?:installing|unpacking|upgrading)\\s[^\\n]{1,80}\\((?:was|over|from|->)\\s\\(?`,
    ':(?:amd64|arm64|i386|all)\\s{1,8}',
    '\\/[\\w.-]{1,64}:',
    '(?:Chrome|Chromium|Firefox|Safari|Edg|Edge|OPR|Opera|Version|curl|Wget|okhttp|nginx|Apache|OpenSSL|Java|PHP|Python)\\/',
    '(?:버전|버젼|펌웨어|드라이버|빌드|릴리스|バージョン|ファームウェア|ドライバー?|版本|固件|驱动(?:程序)?|韌體)(?:은|는|이|가|을|를|を|は|が|为|為|是|从|:)?\\s?',
  ].join('|')})$`,
  'i',
);
const VERSION_BEHIND = new RegExp(
  `^(?:${[
    '\\s?(?:버전|버젼|版本|バージョン)',
    '\\s(?:version|release)(?![a-z])',
    '(?:-\\d{1,3})?[._](?:amd64|arm64|aarch64|x86_64|i[36]86|noarch|all|deb|rpm|tar|tgz|zip|exe|msi|jar|whl|dmg|pkg|nupkg|gem)(?![a-z])',
    '\\s{1,8}(?:amd64|x86_64|arm64|aarch64|noarch)(?![a-z])',
    '\\s(?:or|and) (?:later|newer|above|higher|earlier)',
    '\\s(?:reached end of|released|fixes|introduces)',
    `(?:에서\\s${NUMBER})?(?:으로|로)\\s?(?:업그레이드|업데이트|올렸|올림|올라)`,
    `から${NUMBER}(?:に|へ)(?:更新|アップ)`,
  ].join('|')})`,
  'i',
);

/** Addresses that mean something only inside somebody's network. */
export const privateAddresses: readonly RedactionRule[] = [
  patternRule({
    name: 'private-ipv4',
    category: CATEGORY,
    specificity: SPECIFICITY.CONTACT + 5,
    hints: ['10.', '192.168.', '172.', '169.254.', '100.'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?<![A-Za-z0-9.])(?:(?<=[^\\d.]-)|(?<=(?:\\.\\d{1,3}){3}-)|(?<![.-]))${PRIVATE_V4}(?!\\d|\\.\\d(?!\\d{0,4}(?: >|: ))|-(?!${PRIVATE_V4})(?:rc|beta|alpha|el\\d|\\d{1,9}\\.))`,
      'g',
    ),
    accept: (secret, match) => {
      const end = match.index + secret.length;
      return (
        !VERSION_BEFORE.test(match.input.slice(Math.max(0, match.index - 120), match.index)) &&
        !VERSION_BEHIND.test(match.input.slice(end, end + 32))
      );
    },
    matches: 'no route to 10.20.30.40',
    ignores: 'driver version 10.20.30.40, oid 1.3.10.20.30.40, 10.25 GB',
  }),
  patternRule({
    name: 'address-in-host-name',
    category: CATEGORY,
    specificity: SPECIFICITY.CONTACT + 5,
    hints: ['ip-', '10-', '192-168-', '172-'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?<![A-Za-z0-9])(?:ip-(?<secret>(?:10-\\d{1,3}|192-168|172-(?:1[6-9]|2\\d|3[01]))-\\d{1,3}-\\d{1,3})(?![\\d-])|(?<!-)(?:10-\\d{1,3}|192-168|172-(?:1[6-9]|2\\d|3[01]))-\\d{1,3}-\\d{1,3}(?=\\.[\\w-]{1,64}\\.pod(?![A-Za-z0-9-])))`,
      'g',
    ),
    matches: 'ip-10-20-30-40.ec2.internal',
    ignores: 'ip-8-8-8-8.example.org',
  }),
  patternRule({
    name: 'private-ipv6',
    category: CATEGORY,
    specificity: SPECIFICITY.CONTACT + 5,
    hints: anyCase('fc', 'fd', 'fe8', 'fe9', 'fea', 'feb', '::ffff:'),
    startsWithHint: true,
    pattern: new RegExp(
      `(?<![A-Za-z0-9:.])(?:(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):(?:[0-9a-f]{0,4}:){1,7}[0-9a-f]{0,4}|::ffff:${PRIVATE_V4})(?:%[A-Za-z0-9]{1,16})?(?![A-Za-z0-9:])`,
      'gi',
    ),
    accept: (secret) => secret.includes('::') || secret.split(':').length === 8,
    matches: 'inet6 fe80::1ff:fe23:4567:890a/64',
    ignores: 'clock 12:30:45, a::b, 2001:db8::1',
  }),
];
