import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

// What is drawn at random has letters and digits among each other; a name has words.
const isDrawn = (segment: string): boolean =>
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(segment) ||
  ((segment.match(/\d/g)?.length ?? 0) >= 3 &&
    /[A-Za-z]/.test(segment) &&
    !/^[a-z]+(?:[-_][a-z0-9]{1,12})+$/.test(segment)) ||
  (/[a-z][A-Z]|[A-Z]{2}[a-z]/.test(segment) && /\d/.test(segment));

/** Addresses that let anybody who knows them send or start something. */
export const webhookUrls: readonly RedactionRule[] = [
  patternRule({
    name: 'webhook-url',
    category: 'SECRET',
    specificity: SPECIFICITY.VENDOR,
    hints: [
      'hooks.slack.com/',
      'webhook.office.com/',
      'discord.com/',
      'discordapp.com/',
      'hooks.zapier.com/',
      'outlook.office.com/',
      'chat.googleapis.com/',
    ],
    startsWithHint: true,
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|webhook\.office\.com\/webhookb2\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/|hooks\.zapier\.com\/hooks\/catch\/|outlook\.office\.com\/webhook\/|chat\.googleapis\.com\/v1\/spaces\/[\w-]{1,64}\/messages\?)(?<secret>[A-Za-z0-9_@/.=&%-]{16,512})/g,
    matches: `https://hooks.slack.com/services/${['T00000AAA', 'B00000BBB', 'a1B2c3D4e5F6a1B2c3D4e5F6'].join('/')}`,
    ignores: 'https://hooks.slack.com/services/',
  }),
  patternRule({
    name: 'webhook-path',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: anyCase('/hook', '/webhook', '/integration', '/with/key/', '//hook.', '.hook.', '/triggers/'),
    startsWithHint: true,
    pattern:
      /\/(?:\/hook\.[\w.-]{1,64}\/|with\/key\/|(?:in|out)?(?:web)?hooks?(?:\.[\w.-]{1,64})?\/(?:[\w.-]{1,24}\/){0,4}?|integrations?\/(?:[a-z]{1,16}\/)?|triggers\/(?:[\w-]{1,24}\/){0,2}?)(?<secret>[A-Za-z0-9_-]{20,128})(?![A-Za-z0-9_-])/gi,
    accept: (secret) => isDrawn(secret),
    matches: `https://chat.example.org/hooks/${'a1b2c3d4e5f6'.repeat(2)}`,
    ignores: 'https://example.org/hooks/use-authentication-token, /webhooks/inbound-message-handler-v2',
  }),
];
