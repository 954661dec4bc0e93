import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { vendorToken } from './vendor-token.js';

const LONG = 'a1B2c3D4e5F6'.repeat(4);

/** Tokens of chat, payment and other hosted services. */
export const serviceTokens: readonly RedactionRule[] = [
  vendorToken({
    name: 'slack-token',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxc-', 'xoxd-', 'xoxo-', 'xapp-', 'xoxe.'],
    body: '(?=[A-Za-z-]{0,64}[0-9])[A-Za-z0-9%.-]{16,255}',
    sample: '1234567890-a1B2c3D4e5F6a1B2c3D4',
    ignores: 'xoxo, see you in #general',
  }),
  vendorToken({
    name: 'stripe-key',
    prefixes: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'whsec_', 'sk_prod_'],
    body: '[A-Za-z0-9+/=]{16,255}',
    sample: LONG.slice(0, 32),
    ignores: 'sk_live_ and pk_live_ are prefixes',
  }),
  vendorToken({
    name: 'square-and-shop-token',
    prefixes: ['sq0atp-', 'sq0csp-', 'EAAA', 'shpat_', 'shpca_', 'shppa_', 'shpss_', 'access_token$production$'],
    body: '(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{22,128}',
    sample: LONG.slice(0, 32),
    ignores: 'shpat_ is a prefix',
  }),
  vendorToken({
    name: 'sendgrid-key',
    prefixes: ['SG.'],
    body: '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}',
    sample: `${LONG.slice(0, 22)}.${LONG.slice(0, 43)}`,
    ignores: 'SG.example.org',
  }),
  vendorToken({
    name: 'mail-and-telephony-key',
    prefixes: ['SK', 'key-', 'xkeysib-', 'xsmtpsib-', 're_', 'md-'],
    body: '(?:(?<=SK|key-)[a-f0-9]{32}|(?<=sib-)[a-f0-9]{64}-[A-Za-z0-9]{16}|(?<=re_)[A-Za-z0-9]{8}_[A-Za-z0-9]{24}|(?<=md-)[A-Za-z0-9_-]{22})',
    sample: 'a1b2c3d4e5f6a7b8'.repeat(2),
    ignores: 'SKU 1234, key-value',
  }),
  vendorToken({
    name: 'hosted-service-token',
    prefixes: [
      'glsa_', 'glc_', 'sntrys_', 'sntryu_', 'ATATT3', 'ATCTT3', 'ATBB', 'dapi', 'dkea', 'dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'ntn_', 'secret_',
      'lin_api_', 'lin_oauth_', 'PMAK-', 'figd_', 'NRAK-', 'NRII-', 'pul-', 'sbp_', 'phc_', 'phx_', 'rdme_', 'pat-na1-', 'pat-eu1-', 'tfp_',
      'bkua_', 'CCIPAT_', 'CCIPRJ_', 'shltm_', 'sgp_', 'dt0c01.', 'ddp_', 'ddapi_', 'airtable_', 'fio-u-', 'EZAK', 'EZTK', 'duffel_live_',
      'frmpt', 'adafruit_', 'tskey-', 'cal_live_', 'clh_', 'ory_pat_', 'ory_st_', 'rnd_', 'prefect_', 'pnu_', 'eyv_',
    ], // prettier-ignore
    body: '(?=[A-Za-z_.=-]{0,64}[0-9])[A-Za-z0-9_.=+/-]{24,512}',
    sample: LONG,
    ignores: 'secret_santa_list, dapi, tskey-',
  }),
  patternRule({
    name: 'telegram-bot-token',
    category: 'SECRET',
    specificity: SPECIFICITY.VENDOR,
    hints: [':A'],
    withinLines: true,
    pattern: /(?<![A-Za-z0-9])(?:bot)?(?<secret>\d{8,10}:A[A-Za-z0-9_-]{32,35})(?![A-Za-z0-9_-])/g,
    matches: `bot ${['1234567890', `AA${'a1B2c3D4e5F6'.repeat(3).slice(3)}`].join(':')} is up`,
    ignores: 'at 1234567890:A4',
  }),
  patternRule({
    name: 'discord-bot-token',
    category: 'SECRET',
    specificity: SPECIFICITY.VENDOR,
    hints: ['.G', '.X', '.Y', '.Z'],
    withinLines: true,
    pattern:
      /(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9_-]{23,27}\.[GXYZ][A-Za-z0-9_-]{5}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])/g,
    matches: `bot ${['M', 'a1B2c3D4e5F6'.repeat(2)].join('')}.Gx1y2z.${LONG.slice(0, 38)}`,
    ignores: 'org.Gradle.api',
  }),
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
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|webhook\.office\.com\/webhookb2\/|discord(?:app)?\.com\/api\/webhooks\/|hooks\.zapier\.com\/hooks\/catch\/|outlook\.office\.com\/webhook\/|chat\.googleapis\.com\/v1\/spaces\/[\w-]{1,64}\/messages\?)(?<secret>[A-Za-z0-9_@/.=&%-]{16,512})/g,
    matches: `https://hooks.slack.com/services/${['T00000AAA', 'B00000BBB', 'a1B2c3D4e5F6a1B2c3D4e5F6'].join('/')}`,
    ignores: 'https://hooks.slack.com/services/',
  }),
  patternRule({
    name: 'kubeadm-token',
    category: 'SECRET',
    specificity: SPECIFICITY.VENDOR,
    hints: ['kubeadm', '--token', 'bootstrap'],
    pattern: /(?<![A-Za-z0-9.])(?=[a-z]{0,6}\d|[a-z0-9]{6}\.[a-z]{0,15}\d)[a-z0-9]{6}\.[a-z0-9]{16}(?![A-Za-z0-9.])/g,
    matches: `kubeadm join --token ${['a1b2c3', 'd4e5f6g7h8i9j0k1'].join('.')}`,
    ignores: 'kubeadm join example.internalhostname',
  }),
];
