import { abortable } from '../../domain/abortable.js';
import type { ObservationId } from '../../domain/observation-id.js';
import type { DialecticSink } from '../../spi/chat.js';
import { CitationFilter } from './citation-filter.js';

/** What an answer's text goes to and is read with. */
export interface AnswerTextParts {
  /** Which observation an alias means. */
  readonly idOf: (alias: string) => ObservationId | undefined;
  /** Who listens, if anybody does. */
  readonly sink: DialecticSink | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * An answer as it grows: without its citations, which are kept, and told to the sink as it comes. The text is exactly what
 * the sink was told.
 */
export class AnswerText {
  readonly #cited = new Map<string, ObservationId>();
  #text = '';
  #filter: CitationFilter;
  #roundIsBlank = true;

  constructor(private readonly parts: AnswerTextParts) {
    this.#filter = this.#newFilter();
  }

  get text(): string {
    return this.#text;
  }

  /** The observations that are cited and were shown when they were, in the order in which they first are. */
  get cited(): readonly ObservationId[] {
    return [...this.#cited.values()];
  }

  /** Takes the next piece that the model wrote. @throws what the sink throws, or the signal's reason */
  async take(piece: string): Promise<void> {
    await this.#tell(this.#filter.take(piece));
  }

  /** Ends the text of a round; the next one is a paragraph of its own. `isCut`: what may have become a citation is dropped. */
  async endRound({ isCut }: { readonly isCut: boolean }): Promise<void> {
    if (!isCut) await this.#tell(this.#filter.end());
    this.#filter = this.#newFilter();
    this.#roundIsBlank = true;
  }

  async #tell(said: string): Promise<void> {
    const text = this.#roundIsBlank ? this.#begun(said) : said;
    if (text === '') return;
    const { sink, signal } = this.parts;
    signal?.throwIfAborted();
    this.#roundIsBlank = false;
    this.#text += text;
    if (sink !== undefined) await abortable(Promise.resolve(sink(text)), signal);
  }

  // Models write blank lines before a call, and nobody wants an answer that begins with them.
  #begun(said: string): string {
    const text = said.trimStart();
    return text !== '' && this.#text !== '' ? `\n\n${text}` : text;
  }

  #newFilter(): CitationFilter {
    return new CitationFilter((alias) => {
      const id = this.parts.idOf(alias);
      if (id !== undefined && !this.#cited.has(alias)) this.#cited.set(alias, id);
    });
  }
}
