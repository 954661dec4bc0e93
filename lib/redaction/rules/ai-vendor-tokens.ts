import type { RedactionRule } from '../redaction-rule.js';
import { vendorToken } from './vendor-token.js';

/** Keys of those who serve models. */
export const aiVendorTokens: readonly RedactionRule[] = [
  vendorToken({
    name: 'openai-key',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sess-', 'sk-or-v1-', 'sk-lf-'],
    body: '[A-Za-z0-9_-]{20,300}',
    sample: 'a1B2c3D4e5F6'.repeat(4),
    ignores: 'sk-learn 1.4 and sk-toggle are classes',
  }),
  vendorToken({
    name: 'openai-legacy-key',
    prefixes: ['sk-'],
    body: '(?=[A-Za-z-]{0,64}[0-9])[A-Za-z0-9]{32,64}',
    sample: 'a1B2c3D4e5F6'.repeat(4),
    ignores: 'sk-loading-indicator-with-a-rather-long-class-name',
  }),
  vendorToken({
    name: 'anthropic-key',
    prefixes: ['sk-ant-'],
    body: '[A-Za-z0-9_-]{24,300}',
    sample: `api03-${'a1B2c3D4e5F6'.repeat(4)}`,
    ignores: 'the prefix is sk-ant-',
  }),
  vendorToken({
    name: 'hugging-face-token',
    prefixes: ['hf_', 'api_org_'],
    body: '[A-Za-z0-9]{30,64}',
    sample: 'a1B2c3D4e5F6'.repeat(3).slice(2),
    ignores: 'hf_hub_download',
  }),
  vendorToken({
    name: 'model-vendor-key',
    prefixes: [
      'gsk_',
      'xai-',
      'r8_',
      'pplx-',
      'fw_',
      'csk-',
      'nvapi-',
      'jina_',
      'tvly-',
      'voy-',
      'pa-',
      'together_',
      'pcsk_',
      'tgp_v1_',
      'llx-',
      'wandb_v1_',
    ],
    body: '(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{24,200}',
    sample: 'a1B2c3D4e5F6'.repeat(4),
    ignores: 'pplx-online, xai-model',
  }),
  vendorToken({
    name: 'langsmith-key',
    prefixes: ['lsv2_'],
    body: '(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}',
    sample: `pt_${'a1b2c3d4e5f6a7b8'.repeat(2)}_a1b2c3d4e5`,
    ignores: 'lsv2_pt_ is a prefix',
  }),
];
