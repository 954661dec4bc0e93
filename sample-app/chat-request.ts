import { BadRequestException } from '@nestjs/common';

/** What `POST /chat` takes. */
export interface ChatRequest {
  readonly sessionId: string;
  readonly message: string;
}

const LONGEST_SESSION_ID = 256;
const LONGEST_MESSAGE = 10_000;
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Reads a body. @throws BadRequestException naming every fault */
export function chatRequestIn(body: unknown): ChatRequest {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new BadRequestException(
      'The body takes a JSON object, such as {"sessionId": "today", "message": "Which day is deploy day?"}.',
    );
  }
  const { sessionId, message, ...others } = body as Record<string, unknown>;
  const faults = [
    ...(isText(sessionId, LONGEST_SESSION_ID) && !CONTROL.test(sessionId)
      ? []
      : [`sessionId takes 1 to ${LONGEST_SESSION_ID} characters, no control characters and not only white space.`]),
    ...(isText(message, LONGEST_MESSAGE)
      ? []
      : [`message takes 1 to ${LONGEST_MESSAGE} characters, not only white space.`]),
    ...Object.keys(others).map((name) => `${name} is not known; leave it out.`),
  ];
  if (faults.length > 0) throw new BadRequestException(faults);
  return { sessionId: sessionId as string, message: message as string };
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longest;
}
