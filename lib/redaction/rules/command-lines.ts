import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { isSecretValue } from '../secret-value.js';

const { STRUCTURE } = SPECIFICITY;
// A group's name may stand once in an expression, so the quoted forms are told by what stands before.
const QUOTED_OR_BARE = `\\\\{0,16}["']?(?<secret>(?:(?<=')[^'\\n]{1,256}|(?<=")[^"\\n\\\\]{1,256}|(?<!["'])[^\\s"'\`<>|;\\\\]{1,256}))`;

const isPassword = (secret: string): boolean => isSecretValue(secret, 'password', 'assigned');

/** Passwords given to commands in flags that are too short to tell by themselves. */
export const commandLines: readonly RedactionRule[] = [
  patternRule({
    name: 'attached-password-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['mysql', 'maria', 'mongo'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:mysql(?:dump|admin|import|sh)?|mariadb(?:-\\w{1,16})?|mongo(?:sh|dump|restore)?)[ \\t](?:[^\\n|;]{0,200}[ \\t])?-p ?${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'mysql -h db -u root -pplum7river -e "show tables"',
    ignores: 'mysql -u root -p tides; mkdir -p plum7river',
  }),
  patternRule({
    name: 'password-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['sshpass', 'redis-cli', 'ldap', 'docker', 'podman', 'az ', 'az\t', 'plink', 'keytool', 'openssl'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:sshpass[ \\t]{1,4}-p|redis-cli[ \\t](?:[^\\n|;]{0,200}[ \\t])?-a|ldap(?:search|modify|add|delete|passwd|whoami)[ \\t](?:[^\\n|;]{0,200}[ \\t])?-w|(?:docker|az|podman)[ \\t]login[ \\t](?:[^\\n|;]{0,200}[ \\t])?-p|plink[ \\t](?:[^\\n|;]{0,200}[ \\t])?-pw|keytool[ \\t](?:[^\\n|;]{0,200}[ \\t])?-(?:store|key)pass|openssl[ \\t][^\\n|;]{0,200}pass(?:in|out)? pass:)[ \\t]{0,4}${QUOTED_OR_BARE}`,
      'g',
    ),
    accept: isPassword,
    matches: 'redis-cli -h cache -a plum7river info',
    ignores: 'redis-cli -a $REDIS_AUTH info; sshpass -p "$PW" ssh host',
  }),
  patternRule({
    name: 'user-and-password-flag',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['-u', '-U', '--user', '--proxy-user'],
    startsWithHint: true,
    pattern: new RegExp(
      `(?<![\\w-])(?:-u|-U|--user|--proxy-user)[ \\t=]{0,2}\\\\{0,16}["']?[\\w.@\\\\-]{1,64}[:%](?<secret>[^\\s"'\`<>|;\\\\]{1,256})`,
      'g',
    ),
    accept: isPassword,
    matches: 'curl -u otter:plum7river https://example.org/',
    ignores: 'curl -u "$USER:$PASS" https://example.org/, id -u 0:0',
  }),
  patternRule({
    name: 'net-use',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('net use '),
    startsWithHint: true,
    pattern: /net use (?:\S{1,8} )?\\{2,4}\S{1,128} (?<secret>[^\s/"*]{1,128})(?= \/user:)/gi,
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
      /(?:net user [\w.-]{1,64} |ConvertTo-SecureString (?:-String )?["'])(?<secret>[^\s/"'*$]{1,128})(?= \/add|["'][^\n]{0,40}-AsPlainText)/gi,
    matches: 'net user otter plum7river /add',
    ignores: 'net user otter * /add; ConvertTo-SecureString $plain -AsPlainText',
  }),
];
