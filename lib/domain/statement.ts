/**
 * What somebody said, as an observation carries it: `[2023-05-08 13:56 UTC] Caroline: I went to the meeting.` The front
 * tells a reader who spoke and when; {@link splitStatement} takes it off again where only the words count.
 */
export interface Statement {
  readonly speaker: string;
  readonly saidAt: Date;
  readonly text: string;
}

/** The metadata of an observation that holds a statement: {@link splitStatement} reads no front from any other. */
export const STATEMENT_METADATA = Object.freeze({
  /** Holds who said it, as the front of the content has it. */
  SPEAKER: 'speaker',
  /** Holds when it was said, in ISO 8601. */
  OCCURRED_AT: 'occurredAt',
  /** Holds which deriver made the observation, such as `extractive`. */
  DERIVER: 'deriver',
});

/** A time for people and models to read, always with its zone: `2023-05-08 13:56 UTC`. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The statement as one text, with its front. */
export function formatStatement({ speaker, saidAt, text }: Statement): string {
  return `[${formatTime(saidAt)}] ${speaker}: ${text}`;
}

/**
 * The words of an observation: its `content` without the speaker and the time in front, such as
 * `[2023-05-08 13:56 UTC] Caroline: `. Only the `metadata` says whether there is such a front, by
 * {@link STATEMENT_METADATA}: a text that merely looks alike is left whole.
 */
export function spokenText(observation: {
  readonly content: string;
  readonly metadata: Readonly<Record<string, string>>;
}): string {
  const { content, metadata } = observation;
  const speaker = metadata[STATEMENT_METADATA.SPEAKER];
  const time = metadata[STATEMENT_METADATA.OCCURRED_AT];
  if (speaker === undefined || time === undefined) return content;
  const saidAt = new Date(time);
  if (Number.isNaN(saidAt.getTime())) return content;
  const front = formatStatement({ speaker, saidAt, text: '' });
  return content.startsWith(front) ? content.slice(front.length) : content;
}
