import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { isSecretValue } from '../secret-value.js';

const { STRUCTURE } = SPECIFICITY;
// A group's name may stand once in an expression, so the quoted forms are told by what stands before.
const QUOTED_OR_BARE = `\\\\{0,16}["']?(?<secret>(?:(?<=')[^'\\n]{1,256}|(?<=")[^"\\n\\\\]{1,256}|(?<!["'])[^\\s"'\`<>|;\\\\]{1,256}))`;

// Which tools take a password in which short flag, told by the tool since the flag means something else to others.
const PASSWORD_FLAGS: readonly { readonly hints: readonly string[]; readonly tools: string; readonly flags: string }[] =
  [
    { hints: ['sshpass'], tools: 'sshpass', flags: '-p' },
    { hints: ['mongo'], tools: 'mongo(?:sh|dump|restore|export|import)?', flags: '-p' },
    { hints: ['redis-'], tools: 'redis-(?:cli|benchmark)', flags: '-a|--pass' },
    { hints: ['ldap'], tools: 'ldap(?:search|modify|add|delete|passwd|whoami|compare)', flags: '-w' },
    {
      hints: ['docker', 'podman', 'az ', 'az\t', 'oc ', 'helm '],
      tools: '(?:docker|podman|nerdctl|az|oc|helm registry)[ \\t]login',
      flags: '-p',
    },
    { hints: ['plink', 'pscp', 'psftp'], tools: 'plink|pscp|psftp', flags: '-pw' },
    {
      hints: [
        'racadm',
        'ncftp',
        'rdesktop',
        'psexec',
        'PsExec',
        'cqlsh',
        'beeline',
        'evil-winrm',
        'nxc ',
        'crackmapexec',
      ],
      tools: 'racadm|ncftp\\w{0,8}|rdesktop|[pP]s[eE]xec(?:64)?|cqlsh|beeline|evil-winrm|nxc|crackmapexec',
      flags: '-p',
    },
    {
      hints: ['sqlcmd', 'bcp ', 'osql', 'isql', 'tsql', 'mssql-cli', 'ipmitool', 'mosquitto_', 'zip'],
      tools: 'sqlcmd|bcp|osql|isql|tsql|mssql-cli|ipmitool|mosquitto_(?:pub|sub)|(?:un)?zip(?:cloak)?',
      flags: '-P',
    },
    { hints: ['openssl'], tools: 'openssl[ \\t]enc', flags: '-k' },
    { hints: ['ssh-keygen'], tools: 'ssh-keygen', flags: '-[NP]' },
    { hints: ['lftp'], tools: 'lftp', flags: '-u \\S{1,64},' },
    { hints: ['oathtool'], tools: 'oathtool', flags: '-b|--base32' },
    { hints: ['vsql'], tools: 'vsql', flags: '-w' },
  ];

const isPassword = (secret: string): boolean => isSecretValue(secret, 'password', 'assigned');

/** Passwords given to commands in flags that are too short to tell by themselves. */
export const commandLines: readonly RedactionRule[] = [
  patternRule({
    name: 'attached-password-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['mysql', 'maria', '7z', 'rar '],
    startsWithHint: true,
    // A space after it makes what follows the name of a database.
    pattern: new RegExp(
      `(?:mysql(?:dump|admin|import|sh|check|show|pump)?|mariadb(?:-\\w{1,16})?|7z[arz]?|rar)[ \\t](?:[^\\n|;]{0,200}[ \\t])?-h?p${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'mysql -h db -u root -pplum7river -e "show tables"',
    ignores: 'mysql -u root -p tides2; mkdir -p plum7river',
  }),
  patternRule({
    name: 'password-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: PASSWORD_FLAGS.flatMap(({ hints }) => hints),
    startsWithHint: true,
    pattern: new RegExp(
      `(?:${PASSWORD_FLAGS.map(({ tools, flags }) => `(?:${tools})(?:\\.exe)?[ \\t](?:[^\\n|;]{0,200}?[ \\t])?(?:${flags})`).join('|')})[ \\t]{0,4}${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'redis-cli -h cache -a plum7river info',
    ignores: 'redis-cli -a $REDIS_AUTH info; sshpass -p "$PW" ssh host; zip -r a1.zip b2',
  }),
  patternRule({
    name: 'named-password-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['-storepass', '-keypass', '-srcstorepass', '-deststorepass', '/rp ', '/p:', '/pass:', 'pass:', 'ENC '],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:-(?:src|dest)?(?:store|key)pass[ \\t]{1,4}|(?<=schtasks[^\\n]{1,300})/rp[ \\t]|(?<=freerdp[^\\n]{1,300}|rdp[^\\n]{1,300})/p:|(?<=/user:[^\\n]{1,64})/pass:|(?<=-pass(?:in|out)?[ \\t]{1,4}["']?)pass:|(?<=set [\\w-]{1,32} )ENC[ \\t])${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'openssl pkcs12 -in a.p12 -passin pass:plum7river',
    ignores: 'keytool -storepass $PW, pass: 12',
  }),
  patternRule({
    name: 'user-and-password-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['-u', '-U', '--user', '--proxy-user', 'http -a', 'https -a', 'curl -', '-A'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?<![\\w-])(?:-u|-U|--user|--proxy-user|https? -a|curl -[a-zA-Z]{1,8}u|(?<=(?<!\\w)ab [^\\n|;]{0,128})-A)(?:[ \\t=]{0,2}|\\\\{0,16}["'],[ \\t]{0,2})\\\\{0,16}["']?(?<user>[\\w.@\\\\-]{1,64})[:%](?<secret>(?:(?<=["'][^\\s"']{1,65})[^"'\\n\\\\]{1,256}|[^\\s"'\`<>|;\\\\]{1,256}))`,
      'g',
    ),
    // The numbers of a user and a group are written alike.
    accept: (secret, match) =>
      isPassword(secret) && !(/^\d+$/.test(secret) && /^\d+$/.test(match.groups?.['user'] ?? '')),
    matches: 'curl -u otter:plum7river https://example.org/',
    ignores: 'curl -u "$USER:$PASS" https://example.org/, id -u 1000:1000',
  }),
  patternRule({
    name: 'password-argument',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      'htpasswd ',
      'rabbitmqctl ',
      'radtest ',
      'wpa_passphrase ',
      'user-secrets set ',
      'mc alias set ',
      'mc config host add ',
      'sentinel auth-pass ',
      'mosquitto_passwd ',
      'operator unseal ',
      'openssl passwd ',
      'AUTH ',
      'http-basic.',
      'bundle config ',
    ],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:htpasswd[ \\t]-[a-zA-Z]{0,8}b[a-zA-Z]{0,8}[ \\t]\\S{1,128}[ \\t]\\S{1,64}|rabbitmqctl[ \\t](?:add_user|change_password|authenticate_user)[ \\t]\\S{1,64}|radtest[ \\t]\\S{1,64}|wpa_passphrase[ \\t](?:"[^"\\n]{1,32}"|\\S{1,32})|user-secrets set[ \\t]\\S{1,64}|mc (?:alias set|config host add)[ \\t]\\S{1,64}[ \\t]\\S{1,256}[ \\t]\\S{1,128}|sentinel auth-pass[ \\t]\\S{1,64}|mosquitto_passwd[ \\t]-[a-zA-Z]{0,4}b[ \\t]\\S{1,128}[ \\t]\\S{1,64}|operator unseal(?:[ \\t]-\\S{1,32}){0,3}|openssl passwd(?:[ \\t]-\\w{1,12}){1,3}|(?<![A-Za-z_-])AUTH(?:[ \\t](?:default|[a-z][\\w-]{0,31}(?=[ \\t]\\S{8})))?|bundle config (?:--\\w{1,16} |set ){0,2}[\\w./:-]{1,128}[ \\t][\\w.@-]{1,64}(?=:\\S)|http-basic\\.\\S{1,128}[ \\t]\\S{1,64})(?:[ \\t]{1,4}|(?<=bundle config [^\\n]{1,200}):)${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'rabbitmqctl add_user otter plum7river',
    ignores: 'htpasswd -c .htpasswd otter2, rabbitmqctl list_users',
  }),
  patternRule({
    name: 'radius-test-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['radtest '],
    startsWithHint: true,
    pattern:
      /radtest[ \t](?:-\w[ \t]\S{1,16}[ \t])?\S{1,64}[ \t]\S{1,128}[ \t]\S{1,128}[ \t]\d{1,5}[ \t]["']?(?<secret>[^\s"']{3,128})/g,
    matches: 'radtest otter $PW nas.example.org 0 plum7river',
    ignores: 'radtest is a tool',
  }),
  patternRule({
    name: 'snmp-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [' -c', ' -A', ' -X', ' -N', ' -P'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:(?<=snmp[a-z]{1,12}[ \\t][^\\n|;]{0,240})[ \\t]-[cAX]|(?<=ssh-keygen[ \\t][^\\n|;]{0,240})[ \\t]-[NP])[ \\t]{0,4}${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'snmpget -v3 -u otter -A plum7river -x AES host sysName.0',
    ignores: 'bash -c ls2, snmpget -v2c -c "$COMMUNITY" host',
  }),
  patternRule({
    name: 'piped-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['echo ', 'printf '],
    startsWithHint: true,
    pattern:
      /(?:echo|printf)[ \t](?:-[ne][ \t]|'%s(?:\\n)?'[ \t])?\\{0,4}["']?(?:[\w.-]{1,64}:)?(?<secret>[^\s"'|\\]{4,128})\\{0,4}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t](?:-\w[ \t])?)?(?:chpasswd|smbpasswd|kinit|passwd|su[ \t]|cryptsetup|base64 (?:-d|--decode|-D)|\S[^\n]{0,200}(?:--password-stdin|--stdin|-stdin|-pass stdin|passphrase-fd 0|-S(?![\w-])|with-token))/g,
    accept: isPassword,
    matches: "echo 'plum7river' | docker login -u otter --password-stdin",
    ignores: 'echo "$PW" | sudo -S id; echo plum7river | tee log',
  }),
  patternRule({
    name: 'here-string-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['kinit', 'cryptsetup', 'sudo ', 'passwd', 'login', 'auth ', 'gpg ', 'openssl'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:kinit|cryptsetup|sudo|passwd|login|auth|gpg|openssl)[ \\t][^\\n<]{0,160}<<<[ \\t]{0,4}${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'kinit otter <<< plum7river',
    ignores: 'kinit otter <<< "$PW"; cat <<< plum7river',
  }),
  patternRule({
    name: 'expected-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['assword', 'assphrase'].map((text) => ({ text, confirm: /ass[a-z]{4,6}[^]{0,80}?send/y })),
    startsWithHint: true,
    pattern:
      /ass(?:word|phrase)[^\n]{0,40}[\s{;]{1,40}send(?: --)?[ \t]{1,4}\\{0,4}["'](?<secret>[^"'\\\n]{4,128})(?=\\{1,8}[rn])/g,
    accept: isPassword,
    matches: 'expect "assword:" { send "plum7river\\r" }',
    ignores: 'expect "assword:" { send "$password\\r" }',
  }),
  patternRule({
    name: 'net-use',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('net use '),
    startsWithHint: true,
    pattern:
      /net use (?:\S{1,8} )?\\{2,4}\S{1,128} (?:\/user:\S{1,64} )?(?<secret>(?![/*"])[^\s"]{1,128})(?:(?= \/user:)|(?<=\/user:\S{1,64} \S{1,128}))/gi,
    matches: 'net use Z: \\\\filer\\share plum7river /user:CORP\\otter',
    ignores: 'net use Z: \\\\filer\\share * /user:CORP\\otter',
  }),
  patternRule({
    name: 'windows-account',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('net user ', 'ConvertTo-SecureString '),
    startsWithHint: true,
    pattern:
      /(?:net user [\w.-]{1,64} |ConvertTo-SecureString (?:-(?:String|AsPlainText|Force) ){0,3}["'])(?<secret>(?![*$/])[^\s"']{1,128})(?= \/(?:add|domain|active)|["'][^\n]{0,40}-AsPlainText|(?<=-AsPlainText [^\n]{1,160})["'])/gi,
    matches: 'net user otter plum7river /add',
    ignores: 'net user otter * /add; ConvertTo-SecureString $plain -AsPlainText',
  }),
];
