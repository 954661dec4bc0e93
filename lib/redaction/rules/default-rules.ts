import type { RedactionRule } from '../redaction-rule.js';
import { aiVendorTokens } from './ai-vendor-tokens.js';
import { awsKeys } from './aws-keys.js';
import { cjkKeywordValues } from './cjk-keyword-values.js';
import { cloudTokens } from './cloud-tokens.js';
import { codeForgeTokens } from './code-forge-tokens.js';
import { commandLines } from './command-lines.js';
import { credentialCalls } from './credential-calls.js';
import { deviceSecrets } from './device-secrets.js';
import { emails } from './emails.js';
import { httpCredentials } from './http-credentials.js';
import { keywordValues } from './keyword-values.js';
import { kubernetesSecrets } from './kubernetes-secrets.js';
import { markedTokens } from './marked-tokens.js';
import { nationalIds } from './national-ids.js';
import { nearKeywords } from './near-keywords.js';
import { oneTimeCodes } from './one-time-codes.js';
import { optInContacts } from './opt-in-contacts.js';
import { passwordHashes } from './password-hashes.js';
import { paymentNumbers } from './payment-numbers.js';
import { privateAddresses } from './private-addresses.js';
import { privateKeys } from './private-keys.js';
import { serviceTokens } from './service-tokens.js';
import { shapedTokens } from './shaped-tokens.js';
import { spokenCredentials } from './spoken-credentials.js';
import { spokenPasswords } from './spoken-passwords.js';
import { tableColumns } from './table-columns.js';
import { urlCredentials } from './url-credentials.js';
import { webhookUrls } from './webhook-urls.js';

/** Every rule that comes with the library, the ones to opt into among them. */
export const defaultRules: readonly RedactionRule[] = Object.freeze([
  ...privateKeys,
  ...awsKeys,
  ...httpCredentials,
  ...urlCredentials,
  ...codeForgeTokens,
  ...aiVendorTokens,
  ...cloudTokens,
  ...serviceTokens,
  ...shapedTokens,
  ...webhookUrls,
  ...markedTokens,
  ...passwordHashes,
  ...commandLines,
  ...credentialCalls,
  ...kubernetesSecrets,
  ...deviceSecrets,
  ...oneTimeCodes,
  ...spokenCredentials,
  ...spokenPasswords,
  ...keywordValues,
  ...cjkKeywordValues,
  ...nearKeywords,
  ...tableColumns,
  ...paymentNumbers,
  ...nationalIds,
  ...privateAddresses,
  ...emails,
  ...optInContacts,
]);
