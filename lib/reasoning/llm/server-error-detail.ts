import { isObject } from './json-value.js';

/** What a server says of an error. Its words may hold what it was asked: they are looked through and never passed on. */
export interface ServerErrorDetail {
  /** Such as `context_length_exceeded`; empty where it says none. */
  readonly code: string;
  /** Such as `invalid_request_error`. */
  readonly type: string;
  /** Which parameter it is about, such as `max_tokens` or `response_format.type`. */
  readonly parameter: string;
  /** Its own words. */
  readonly message: string;
  /** A status that stands in the error itself, as a gateway passes on that of the server behind it. */
  readonly status?: number;
}

/** Reads the forms in which servers word an error; what is none of them is all message. */
export function errorDetail(body: unknown): ServerErrorDetail {
  if (Array.isArray(body)) return errorDetail(body[0]);
  if (!isObject(body)) return { ...NOTHING_SAID, message: textOf(body) };
  const { error, detail } = body;
  if (isObject(error)) return errorDetail(error);
  if (typeof error === 'string') return { ...NOTHING_SAID, ...named(body), message: error };
  // The form of FastAPI, on which many servers stand.
  if (Array.isArray(detail) && isObject(detail[0])) {
    const { loc, msg, type } = detail[0];
    const parameter = Array.isArray(loc) ? loc.filter((part) => typeof part === 'string' && part !== 'body') : [];
    return { ...NOTHING_SAID, type: textOf(type), parameter: parameter.join('.'), message: textOf(msg) };
  }
  return { ...named(body), message: textOf(body.message ?? detail) };
}

/** As {@link errorDetail}, of a body that may be no JSON. */
export function errorDetailIn(text: string): ServerErrorDetail {
  try {
    return errorDetail(JSON.parse(text));
  } catch {
    return errorDetail(text);
  }
}

const NOTHING_SAID: ServerErrorDetail = { code: '', type: '', parameter: '', message: '' };

function named({ code, type, param, status }: Readonly<Record<string, unknown>>): Omit<ServerErrorDetail, 'message'> {
  const inner = Number(code ?? status);
  return {
    code: textOf(code),
    type: textOf(type),
    parameter: textOf(param),
    ...(inner >= 400 && inner <= 599 && { status: inner }),
  };
}

// Patterns are run over it, so it has to have an end.
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 4000) : '');
