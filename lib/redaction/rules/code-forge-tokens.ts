import type { RedactionRule } from '../redaction-rule.js';
import { vendorToken } from './vendor-token.js';

/** Tokens of code forges and package registries. */
export const codeForgeTokens: readonly RedactionRule[] = [
  vendorToken({
    name: 'github-token',
    prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    body: '[A-Za-z0-9]{36,251}',
    sample: 'a1B2c3D4e5F6'.repeat(3),
    ignores: 'ghp_ tokens start like that',
  }),
  vendorToken({
    name: 'github-fine-grained-token',
    prefixes: ['github_pat_'],
    body: '[A-Za-z0-9_]{22,255}',
    sample: 'a1B2c3D4e5F6'.repeat(3),
    ignores: 'github_pat_settings',
  }),
  vendorToken({
    name: 'gitlab-token',
    prefixes: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glptt-',
      'glsoat-',
      'glcbt-',
      'glimt-',
      'glagent-',
      'glft-',
      'gloas-',
      'glffct-',
      'glwt-',
      'GR1348941',
    ],
    body: '[A-Za-z0-9_.=-]{18,300}',
    sample: 'a1B2c3D4e5F6'.repeat(2),
    ignores: 'a glpat-style token',
  }),
  vendorToken({
    name: 'npm-token',
    prefixes: ['npm_'],
    body: '[A-Za-z0-9]{36}',
    sample: 'a1B2c3D4e5F6'.repeat(3),
    ignores: 'npm_config_registry',
  }),
  vendorToken({
    name: 'pypi-token',
    prefixes: ['pypi-'],
    body: 'AgE[A-Za-z0-9_-]{40,1024}',
    sample: `AgE${'a1B2c3D4e5F6'.repeat(4)}`,
    ignores: 'pypi-mirror.example.org',
  }),
  vendorToken({
    name: 'rubygems-token',
    prefixes: ['rubygems_'],
    body: '[a-f0-9]{48}',
    sample: 'a1b2c3d4e5f6'.repeat(4),
    ignores: 'rubygems_version 3.4',
  }),
  vendorToken({
    name: 'registry-token',
    prefixes: ['dckr_pat_', 'dckr_oat_', 'packagist_', 'CLOJARS_', 'AKCp', 'cmVmdGtuO'],
    body: '(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{27,128}',
    sample: 'a1B2c3D4e5F6'.repeat(3),
    ignores: 'dckr_pat_name, AKCp',
  }),
  vendorToken({
    name: 'package-key',
    prefixes: ['oy2', 'cio'],
    body: '(?:(?<=oy2)[a-z0-9]{43}|(?<=cio)[A-Za-z0-9]{32})',
    sample: 'a1b2c3d4e5f6'.repeat(4).slice(0, 43),
    ignores: 'oy2 and cio are prefixes',
  }),
];
