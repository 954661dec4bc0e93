import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';

const { STRUCTURE } = SPECIFICITY;

const KIND = /kind\\{0,16}["']?[ \t]{0,4}:[ \t]{0,4}\\{0,16}["']?Secret(?![A-Za-z])/g;
const YAML_DATA = /(?:data|stringData):[ \t]{0,8}\r?\n/g;
const YAML_ENTRY =
  /([ \t]{0,32})["']?([\w.-]{1,253})["']?:[ \t]{1,8}(?:[|>][+-]?[ \t]{0,8}\r?\n[ \t]{1,64})?["']?([^\s"'#]{1,16384})["']?[^\n]{0,64}(?:\n|$)/y;
const JSON_DATA = /(?:data|stringData)\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\{\s{0,32}/g;
const JSON_ENTRY =
  /\\{0,16}["']([\w.-]{1,253}?)\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\\{0,16}["']([^"'\\\n]{1,16384})\\{0,16}["']\s{0,8},?\s{0,32}/y;

// What is in a Secret and is none: whose it is, where it is for, and what is published anyway.
const NO_SECRET =
  /^(?:user(?:name)?|login|host(?:name)?|port|db_?name|database|type|namespace|region|endpoint|(?:tls|ca|service-ca)\.crt|.{0,64}\.(?:crt|pem|pub))$/i;
const MAX_ENTRIES = 256;
const MAX_INDENT = 16;
// As much as a policy is given at once.
const MAX_MANIFEST = 65_536;
const FORMS = [
  [YAML_DATA, YAML_ENTRY],
  [JSON_DATA, JSON_ENTRY],
] as const;

// Everything in the data of a Secret is one, whatever it is called. A manifest may name its kind before or behind.
function findSecretData(text: string, hinted?: readonly number[]): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const place of hinted ?? [...text.matchAll(KIND)].map(({ index }) => index)) {
    const start = Math.max(end, place - MAX_MANIFEST);
    end = Math.max(end, Math.min(text.length, place + MAX_MANIFEST));
    const manifest = text.slice(start, end);
    for (const [data, entry] of FORMS) {
      for (const span of entriesIn(manifest, data, entry))
        spans.push({ start: span.start + start, end: span.end + start });
    }
  }
  return spans;
}

function* entriesIn(text: string, data: RegExp, entry: RegExp): Generator<Span> {
  const isYaml = entry === YAML_ENTRY;
  // What starts with its letters is found by them; what stands before is looked at afterwards.
  data.lastIndex = 0;
  for (let block = data.exec(text); block !== null; block = data.exec(text)) {
    const before = /(?:^|\n)([ \t]*)$|["']$/.exec(text.slice(Math.max(0, block.index - MAX_INDENT - 1), block.index));
    if (before === null) continue;
    entry.lastIndex = data.lastIndex;
    for (let entries = 0; entries < MAX_ENTRIES; entries++) {
      const found = entry.exec(text);
      if (found === null) break;
      const [indent, name = '', value = ''] = isYaml ? found.slice(1) : ['', ...found.slice(1)];
      if (isYaml && (indent ?? '').length <= (before[1] ?? '').length) break;
      data.lastIndex = entry.lastIndex;
      if (value.length < 4 || NO_SECRET.test(name) || /^(?:\$\{|\{\{|<|\*+$)/.test(value)) continue;
      const start = found.index + found[0].lastIndexOf(value);
      yield { start, end: start + value.length };
    }
  }
}

/** Secrets of Kubernetes: their manifests, and the commands that make them. */
export const kubernetesSecrets: readonly RedactionRule[] = [
  {
    name: 'kubernetes-secret-data',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [{ text: 'kind', confirm: new RegExp(KIND.source, 'y') }],
    find: findSecretData,
    matches: 'kind: Secret\ndata:\n  dsn: cGx1bTdyaXZlcg==\n',
    ignores: 'kind: SecretStore\ndata:\n  dsn: cGx1bTdyaXZlcg==\n',
  },
  patternRule({
    name: 'docker-config-data',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['.dockerconfigjson', '.dockercfg'],
    startsWithHint: true,
    pattern:
      /\.docker(?:configjson|cfg)\\{0,16}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,16}["']?(?<secret>[A-Za-z0-9+/]{16,16384}={0,2})/g,
    matches: `.dockerconfigjson: ${Buffer.from('{"auths":{"r":{}}}').toString('base64')}`,
    ignores: 'type: kubernetes.io/dockerconfigjson',
  }),
  patternRule({
    name: 'secret-from-literal',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['--from-literal'],
    startsWithHint: true,
    pattern:
      /--from-literal[ \t=]\\{0,4}["']?(?<name>[\w.-]{1,253})=\\{0,4}(?<secret>(?<='[^'\n]{1,256})[^'\n]{1,1024}|(?<="[^"\n]{1,256})[^"\n\\]{1,1024}|[^\s"'\\]{1,1024})/g,
    accept: (secret, match) =>
      secret.length >= 4 &&
      !/^\$[({\w]/.test(secret) &&
      !NO_SECRET.test(match.groups?.['name'] ?? '') &&
      /create secret/.test(match.input.slice(Math.max(0, match.index - 600), match.index)),
    matches: 'kubectl create secret generic tides --from-literal=db=plum7river',
    ignores: 'kubectl create configmap tides --from-literal=mode=plum7river',
  }),
];
