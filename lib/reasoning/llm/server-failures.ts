import { LlmContextLengthError, LlmError, type LlmOutage, LlmUnavailableError } from '../../domain/errors.js';
import { ParameterError, type OptionalParameter } from './parameter-error.js';
import type { ServerErrorDetail } from './server-error-detail.js';
import type { ServerLabel } from './server-label.js';

const TOO_LONG =
  /context.?(?:length|window|size)|maximum context|(?:prompt|input|request|message).{0,40}(?:too (?:long|large)|exceeds?.{0,40}(?:tokens?|length|limit))|too many tokens|max(?:imum)?.{0,20}tokens?.{0,40}exceed/is;
const ABOUT_CONTENT = /content.?(?:filter|policy|management)|moderation|\bflagged\b|safety system/i;
const WRONG_KEY =
  /(?:invalid|incorrect|missing|expired|no).{0,8}api.?key|api.?key.{0,12}(?:invalid|not valid|expired|missing|required)/i;
const NO_MODEL = /^\W{0,3}(?:the )?model\b.{0,120}\b(?:not found|does not exist|is not available|not loaded)/i;
const NO_QUOTA = /insufficient.?(?:quota|balance|credit|funds)|billing/i;
const NOT_TAKEN =
  /unsupported|not.{0,12}support|unrecogni[sz]ed|unknown|unexpected|not (?:yet )?(?:implemented|allowed|permitted|available)|extra.?(?:inputs?|fields?|forbidden)|only the default|invalid (?:parameter|field|argument)|deprecated/i;

const OPTIONAL: readonly Exclude<OptionalParameter, 'response_format'>[] = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'stream_options',
  'dimensions',
];

/**
 * What a response that is an error means. A service is away when the next request would fail as well: also by a key that it
 * does not take or a model that it does not have, since counting those as attempts would give up every conversation that
 * waits for somebody to mend a setting.
 */
export function failureOf(
  status: number,
  detail: ServerErrorDetail,
  label: ServerLabel,
  retryAfterMs: number | undefined,
): LlmError {
  const { message } = detail;
  // What comes further on may repeat what was asked, which must not decide whether the service is away.
  const beginning = message.slice(0, 160);
  const named = `${detail.code} ${detail.type}`;
  const answered = `${label.name} answered with ${status}${shownCode(detail)}`;
  const away = (outage: LlmOutage, consequence: string): LlmError =>
    new LlmUnavailableError(`${answered}: ${consequence}.`, { outage, retryAfterMs });

  // Also with 429, which a request above the limit of a minute is answered with: it would be for ever.
  if (
    status === 413 ||
    (MAY_BE_ABOUT_LENGTH.has(status) && (/context_length/i.test(named) || TOO_LONG.test(message)))
  ) {
    if (status !== 429 || /too large/i.test(message)) {
      return new LlmContextLengthError(`${answered}: the request is longer than the model can read.`);
    }
  }
  if (MAY_BE_ABOUT_CONTENT.has(status) && ABOUT_CONTENT.test(`${named} ${message}`)) {
    return new LlmError(`${answered}: its content filter refuses the request.`, undefined, 'LLM_CONTENT_REFUSED');
  }
  if (status === 402 || NO_QUOTA.test(named) || (status === 429 && NO_QUOTA.test(message))) {
    return away('quota', 'there is nothing left to spend on the account; add to it, or raise its limit');
  }
  if (status === 429) return away('rate-limited', 'it is asked too often');
  if (status === 408) return away('timeout', 'the request took it too long');
  if (status === 409 || status === 425 || status >= 500) return away('server-error', 'it failed');
  if (status === 401 || status === 403 || WRONG_KEY.test(`${named} ${beginning}`)) {
    return away('unauthorised', `it does not take the API key; check ${label.settings}.api-key`);
  }
  if (status === 404 || status === 405 || /model_not_found/i.test(named) || NO_MODEL.test(beginning)) {
    const settings = `${label.settings}.model and ${label.settings}.base-url`;
    return away('not-found', `there is no such model, or no such API at the address; check ${settings}`);
  }
  const refused = `${answered}: it refuses the request`;
  const parameters = refusedParameters(detail);
  if (parameters.size === 0) return new LlmError(`${refused}.`);
  const onlyThisSchema = /invalid.?(?:json.?)?schema/i.test(`${named} ${message}`);
  return new ParameterError(`${refused} because of ${[...parameters].join(', ')}.`, parameters, onlyThisSchema);
}

/** What an error means that came without a status of its own: in a response that says that all is well, or in a stream. */
export function failureInSuccess(detail: ServerErrorDetail, label: ServerLabel): LlmError {
  const named = `${detail.code} ${detail.type}`;
  const status =
    detail.status ??
    (/rate_?limit|too_many/i.test(named) ? 429 : /server_?error|overloaded|unavailable/i.test(named) ? 500 : 400);
  return failureOf(status, detail, label, undefined);
}

const MAY_BE_ABOUT_CONTENT: ReadonlySet<number> = new Set([400, 403, 422]);
// Some servers fail with 500 where a request is too long.
const MAY_BE_ABOUT_LENGTH: ReadonlySet<number> = new Set([400, 422, 429, 500]);

function refusedParameters({ code, type, parameter, message }: ServerErrorDetail): ReadonlySet<OptionalParameter> {
  const said = `${parameter} ${message}`;
  const refused = new Set<OptionalParameter>();
  if (/response_format|json_(?:schema|object)/i.test(said)) refused.add('response_format');
  // A value out of its range is the caller's fault, and not to be mended by leaving it out.
  if (!NOT_TAKEN.test(`${code} ${type} ${message}`)) return refused;
  const about = OPTIONAL.filter((name) => parameter.split('.').includes(name));
  for (const name of about.length > 0 ? about : OPTIONAL) {
    if (about.length > 0 || new RegExp(`\\b${name}\\b`, 'i').test(message)) refused.add(name);
  }
  return refused;
}

// Nothing but words in small letters: a server that repeats a key or a prompt does not do so in this form.
const PLAIN_CODE = /^[a-z]{2,20}(?:_[a-z]{1,20}){0,5}$/;

function shownCode({ code, type }: ServerErrorDetail): string {
  const shown = [code, type].find((text) => text.length <= 50 && PLAIN_CODE.test(text));
  return shown === undefined ? '' : ` (${shown})`;
}
