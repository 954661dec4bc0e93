/** A place in a text, in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How sure a rule is of its category: of two that overlap, the higher one names what is masked. */
export const SPECIFICITY = Object.freeze({
  /** A name or an address, which may be a part of something that is more of a secret. Gives way as a whole. */
  CONTACT: 10,
  IDENTITY: 30,
  KEYWORD: 50,
  STRUCTURE: 60,
  VENDOR: 70,
  CREDENTIAL: 80,
  PRIVATE_KEY: 90,
});

/**
 * Finds one kind of what must not be kept. The text it is given has an existing marker's characters replaced by
 * {@link MARKER_FILLER}, so that positions stay and nothing in a marker is taken for something else.
 */
export interface RedactionRule {
  /** Kebab-case, unique in a policy. */
  readonly name: string;
  /** Upper snake; what stands in the marker. */
  readonly category: string;
  /** See {@link SPECIFICITY}. Below {@link SPECIFICITY.IDENTITY} a match gives way to any other that it overlaps. */
  readonly specificity: number;
  /** Whether the rule is in force only when its category is opted into; default false. */
  readonly optIn?: boolean;
  /** The rule is asked only about texts that hold one of these, to the letter, or match; absent: about all. */
  readonly hints?: readonly string[] | RegExp;
  /** The places, in any order. Must take time linear in the text. */
  find(text: string): Iterable<Span>;
  /** A text in which the rule finds something. */
  readonly matches: string;
  /** A text that looks alike and in which no rule of the family finds anything. */
  readonly ignores: string;
}

/** Stands in for each character of a marker while rules look at a text: a noncharacter, of no class that a rule names. */
export const MARKER_FILLER = '\uffff';

/** A rule that is one expression: what its group `secret` matched, or else the whole match, is masked. */
export function patternRule(
  init: Omit<RedactionRule, 'find'> & {
    /** Global; every quantifier bounded, every run guarded by a look-behind of its own class. */
    readonly pattern: RegExp;
    /** Whether what was matched really is one, such as by its check digits; default: always. */
    readonly accept?: (secret: string, match: RegExpExecArray) => boolean;
  },
): RedactionRule {
  const { pattern, accept = () => true, ...rule } = init;
  const indexed = new RegExp(pattern.source, [...new Set([...pattern.flags, 'g', 'd'])].join(''));
  const plain = new RegExp(pattern.source, indexed.flags.replace('d', ''));
  return Object.freeze({
    ...rule,
    find(text: string): Span[] {
      // Without the indices matching is several times faster, and most texts hold nothing.
      plain.lastIndex = 0;
      const first = plain.exec(text);
      if (first === null) return [];
      const spans: Span[] = [];
      indexed.lastIndex = first.index;
      for (let match = indexed.exec(text); match !== null; match = indexed.exec(text)) {
        const [start, end] = match.indices?.groups?.['secret'] ?? match.indices?.[0] ?? [0, 0];
        if (end > start && accept(text.slice(start, end), match)) spans.push({ start, end });
        if (match[0] === '') indexed.lastIndex++;
      }
      return spans;
    },
  });
}
