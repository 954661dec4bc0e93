import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { vendorToken } from './vendor-token.js';

const LONG = 'a1B2c3D4e5F6'.repeat(4);

/** Tokens of chat, payment and other hosted services. */
export const serviceTokens: readonly RedactionRule[] = [
  vendorToken({
    name: 'slack-token',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxc-', 'xoxd-', 'xoxo-', 'xapp-', 'xoxe.'],
    body: '(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9%._-]{16,255}',
    sample: '1234567890-a1B2c3D4e5F6a1B2c3D4',
    ignores: 'xoxo, see you in #general',
  }),
  vendorToken({
    name: 'stripe-key',
    prefixes: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'whsec_', 'sk_prod_', 'rzp_live_', 'rzp_test_'],
    body: '[A-Za-z0-9+/=]{14,255}',
    sample: LONG.slice(0, 32),
    ignores: 'sk_live_ and pk_live_ are prefixes',
  }),
  vendorToken({
    name: 'square-and-shop-token',
    prefixes: ['sq0atp-', 'sq0csp-', 'EAAA', 'shpat_', 'shpca_', 'shppa_', 'shpss_'],
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
      'glsa_', 'glc_', 'eyJrIjoi', 'sntrys_', 'sntryu_', 'ATATT3', 'ATCTT3', 'ATBB', 'dp.pt.', 'dp.st.', 'dp.ct.',
      'dp.sa.', 'dp.scim.', 'dp.audit.', 'ntn_', 'lin_api_', 'lin_oauth_', 'PMAK-', 'PMAT-', 'figd_', 'figu_', 'NRAK-', 'NRII-', 'NRJS-', 'NRAA-',
      'NRBR-', 'pul-', 'sbp_', 'sb_secret_', 'phc_', 'phx_', 'rdme_', 'pat-na1-', 'pat-eu1-', 'tfp_', 'bkua_', 'CCIPAT_', 'CCIPRJ_', 'shltm_',
      'sgp_', 'dt0c01.', 'dt0s01.', 'dt0s08.', 'ddp_', 'ddo_', 'ddw_', 'ddapi_', 'airtable_', 'fio-u-', 'EZAK', 'EZTK', 'duffel_live_',
      'frmpt', 'adafruit_', 'tskey-', 'cal_live_', 'clh_', 'ory_pat_', 'ory_st_', 'rnd_', 'prefect_', 'pnu_', 'pnb_', 'eyv_', 'sqp_', 'squ_', 'sqa_',
      'napi_', 'nfp_', 'nfc_', 'vcp_', 'vck_', 'CFPAT-', 'rootly_', 'ico-', 'tk-us-', 'tk-eu-', 'ops_eyJ', 'cflt', 'mlsn.',
      'wandb_v1_', 'pcsk_', 
    ], // prettier-ignore
    body: '(?=[A-Za-z_.=-]{0,64}[0-9])[A-Za-z0-9_.=+/-]{24,512}',
    sample: LONG,
    ignores: 'tskey-, ops_eyJ, pat-na1-',
  }),
  vendorToken({
    name: 'databricks-token',
    prefixes: ['dapi', 'dkea', 'dose', 'dsapi'],
    body: '[a-f0-9]{32}(?:-\\d{1,2})?',
    sample: 'a1b2c3d4e5f6a7b8'.repeat(2),
    ignores: 'dapi_client, doses',
  }),
  vendorToken({
    name: 'service-token-of-fixed-length',
    prefixes: ['secret_', 'oauth:', 'API-', 'NRJS-', 'tgp_v1_', 'fc-', 'llx-', 'sk_', 'up_', 'sm_pat_', 'sm_aat_', 'CFPAT-', 'AQVN', 'pk_'],
    body: '(?:(?<=secret_)[A-Za-z0-9]{43}|(?<=oauth:)[a-z0-9]{30}|(?<=API-)[A-Z0-9]{25,27}|(?<=NRJS-)[a-f0-9]{19}|(?<=tgp_v1_)[A-Za-z0-9_-]{43}|(?<=fc-)[a-f0-9]{32}|(?<=llx-)[A-Za-z0-9]{48}|(?<=sk_)[a-f0-9]{48}|(?<=up_)[A-Za-z0-9]{29}|(?<=sm_(?:pat|aat)_)[A-Za-z0-9]{16}|(?<=CFPAT-)[A-Za-z0-9_-]{43}|(?<=AQVN)[A-Za-z0-9_-]{35,38}|(?<=pk_)\\d{4,12}_[A-Z0-9]{32})',
    sample: LONG.slice(0, 43),
    ignores: 'secret_santa_list, oauth:callback, API-GATEWAY, up_to_date',
  }), // prettier-ignore
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
    ignores: 'org.Gradle.api, My.kotlin.Name',
  }),
  // The first part is the number of the bot in base 64, so that its first letters are few.
  patternRule({
    name: 'discord-numbered-bot-token',
    category: 'SECRET',
    specificity: SPECIFICITY.VENDOR,
    hints: ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].flatMap((start) =>
      [...'AEIMQUYcgk'].map((next) => start + next),
    ),
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z0-9_.-])[MNO][DTjz][AEIMQUYcgk][A-Za-z0-9_-]{20,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])/g,
    matches: `bot ${Buffer.from('123456789012345678').toString('base64')}.aB3dEf.${LONG.slice(0, 38)}`,
    ignores: 'MTA.queue.name',
  }),
  patternRule({
    name: 'kubeadm-token',
    category: 'SECRET',
    specificity: SPECIFICITY.VENDOR,
    hints: ['kubeadm', '--token', 'bootstrap'],
    withinLines: true,
    pattern: /(?<![A-Za-z0-9.])(?=[a-z]{0,6}\d|[a-z0-9]{6}\.[a-z]{0,15}\d)[a-z0-9]{6}\.[a-z0-9]{16}(?![A-Za-z0-9.])/g,
    matches: `kubeadm join --token ${['a1b2c3', 'd4e5f6g7h8i9j0k1'].join('.')}`,
    ignores: 'kubeadm join example.internalhostname',
  }),
];
