import type { Hint } from './hint-index.js';

/** A place in a text, in UTF-16 units, `end` exclusive. */
export interface Span {
  /** Where it begins, in UTF-16 units from the start of the text. */
  readonly start: number;
  /** Where it ends, in UTF-16 units, exclusive. */
  readonly end: number;
}

/** How sure a rule is of its category: of two that overlap, the higher one names what is masked. */
export const SPECIFICITY = Object.freeze({
  /** A name or an address, which may be a part of something that is more of a secret. Gives way as a whole. */
  CONTACT: 10,
  /** A number that stands for a person, an account or a card. From here on upwards a match gives way to none. */
  IDENTITY: 30,
  /** A value that stands after the name of a secret, such as `password=`. */
  KEYWORD: 50,
  /** A value whose place says what it is: in a URL, a command line, a call, a sentence. */
  STRUCTURE: 60,
  /** A token in the form that one vendor gives its own. */
  VENDOR: 70,
  /** A credential that its form alone gives away: a key of AWS, a JSON web token. */
  CREDENTIAL: 80,
  /** A private key. */
  PRIVATE_KEY: 90,
});

/**
 * Finds one kind of what must not be kept. The text it is given has an existing marker's characters replaced by
 * {@link MARKER_FILLER}, so that positions stay and nothing in a marker is taken for something else.
 */
export interface RedactionRule {
  /** What the rule is called, for leaving it out; kebab-case, unique in a policy. */
  readonly name: string;
  /** What it finds, as it stands in the marker; upper snake, such as `EMAIL`. */
  readonly category: string;
  /** See {@link SPECIFICITY}. Below {@link SPECIFICITY.IDENTITY} a match gives way to any other that it overlaps. */
  readonly specificity: number;
  /** Whether the rule is in force only when its category is opted into; default false. */
  readonly optIn?: boolean;
  /**
   * The rule is asked only about texts that hold one of these, to the letter, or match; absent: about all. An expression
   * that is global is sought once for all the rules that share it, and each match is the place of a hint by its end.
   */
  readonly hints?: readonly (string | Hint)[] | RegExp;
  /**
   * Whether nothing before the line of a hint, and nothing behind the next line that is not blank, has a say in what is
   * found by it. Such a rule is shown those lines instead of the whole text. Default false.
   */
  readonly withinLines?: boolean;
  /**
   * The places, in any order. Must take time linear in the text.
   *
   * @param hinted where the rule's hints stand, in order, if that is known and the whole text is shown
   */
  find(text: string, hinted?: readonly number[]): Iterable<Span>;
  /**
   * Given by a rule whose every match starts with a hint: what the match that starts at `at` masks, and where that match
   * ends. Such a rule is asked about the places of its hints, and never about the rest of the text.
   */
  findAt?(text: string, at: number): FoundAt | undefined;
  /** A text in which the rule finds something. */
  readonly matches: string;
  /** A text that looks alike and in which no rule of the family finds anything. */
  readonly ignores: string;
}

/** What a rule found at one place. */
export interface FoundAt {
  /** What is masked; absent: what matched is none after all. */
  readonly span?: Span;
  /** Where what was matched ends, and with it the part of the text in which the rule looks no more. */
  readonly end: number;
}

/** Stands in for each character of a marker while rules look at a text: a noncharacter, of no class that a rule names. */
export const MARKER_FILLER = '\uffff';

/** A rule that is one expression: what its group `secret` matched, or else the whole match, is masked. */
export function patternRule(
  init: Omit<RedactionRule, 'find' | 'findAt'> & {
    /** Global; every quantifier bounded, every run guarded by a look-behind of its own class. */
    readonly pattern: RegExp;
    /** Whether what was matched really is one, such as by its check digits; default: always. */
    readonly accept?: (secret: string, match: RegExpExecArray) => boolean;
    /** Whether every match starts with one of the hints; default false. */
    readonly startsWithHint?: boolean;
  },
): RedactionRule {
  const { pattern, accept = () => true, startsWithHint = false, ...rule } = init;
  const all = new Matcher(pattern, 'g', accept);
  const one = new Matcher(pattern, 'y', accept);
  return Object.freeze({
    ...rule,
    find(text: string): Span[] {
      const spans: Span[] = [];
      for (let found = all.next(text, 0); found !== undefined; found = all.next(text, found.end)) {
        if (found.span !== undefined) spans.push(found.span);
      }
      return spans;
    },
    ...(startsWithHint ? { findAt: (text: string, at: number) => one.next(text, at) } : {}),
  });
}

class Matcher {
  // Made when the rule is first asked: all the rules' take a while, and most texts have to do with a few of them.
  private plain: RegExp | undefined;
  private indexed: RegExp | undefined;

  constructor(
    private readonly pattern: RegExp,
    private readonly mode: 'g' | 'y',
    private readonly accept: (secret: string, match: RegExpExecArray) => boolean,
  ) {}

  next(text: string, from: number): FoundAt | undefined {
    const plain = (this.plain ??= this.expression(''));
    // Without the indices matching is several times faster, and most texts hold nothing.
    plain.lastIndex = from;
    let match = plain.exec(text);
    if (match === null) return undefined;
    const end = plain.lastIndex === match.index ? match.index + 1 : plain.lastIndex;
    let start = match.index;
    if (match.groups?.['secret'] !== undefined) {
      const indexed = (this.indexed ??= this.expression('d'));
      indexed.lastIndex = match.index;
      match = indexed.exec(text) ?? match;
      start = match.indices?.groups?.['secret']?.[0] ?? start;
    }
    const secret = match.groups?.['secret'] ?? match[0];
    const accepted = secret !== '' && this.accept(secret, match);
    return accepted ? { span: { start, end: start + secret.length }, end } : { end };
  }

  private expression(indices: '' | 'd'): RegExp {
    const { source, flags } = this.pattern;
    return new RegExp(source, flags.replace(/[gyd]/g, '') + this.mode + indices);
  }
}
