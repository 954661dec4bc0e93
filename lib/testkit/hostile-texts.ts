/** A text that is easily changed on its way into a store and out again. */
export interface HostileText {
  /** What is special about it. */
  readonly what: string;
  readonly text: string;
}

/** Texts of which a backend keeps every unit, or which it refuses; it never keeps another text in their place. */
export const HOSTILE_TEXTS: readonly HostileText[] = Object.freeze([
  { what: 'white space around it', text: '  spaced \t\r\n out \n\n ' },
  { what: 'composed letters', text: 'Café, Größe, 서버' },
  { what: 'decomposed letters', text: 'Cafe\u0301, Gro\u0308\u00dfe, \u1109\u1165\u1107\u1165' },
  { what: 'full-width and compatibility characters', text: 'ＡＢＣ １２３ ﬁ ㎏ ①' },
  { what: 'right-to-left text with its marks', text: 'שלום عليكم \u202eabc\u202c \u200f.' },
  { what: 'emoji of several code points', text: '👩‍👩‍👧 👍🏽 🇰🇷 1️⃣' },
  { what: 'characters that cannot be seen', text: 'a\u200bb\u200d\u00adc\ufeff\u2060' },
  { what: 'line separators', text: 'a\u2028b\u2029c\u0085d\ve\ff' },
  { what: 'control characters', text: 'a\u0001b\u001b[31mc\u007f' },
  { what: 'NUL', text: 'before\u0000after' },
  { what: 'lone surrogates', text: 'high \ud83d low \udc00 end' },
  { what: 'characters beyond the basic plane', text: '𠮷野家 𝒜 𐍈' },
  { what: 'quotes and statements', text: `'; DROP TABLE observations; -- "x" \`y\` \\ \\' $1 \${z} %s` },
  { what: 'JSON', text: '{"a":"\\u0000\\n","b":[null]}' },
  { what: 'markup', text: '<b>&amp;</b> <!-- x --> ]]> &#0;' },
  { what: 'percent signs and entities', text: '100% %41 %zz %00 +' },
]);

/** 100 kB of words, none of them the same. */
export const LONG_TEXT: string = longText(100_000);

function longText(length: number): string {
  const words: string[] = [];
  for (let size = 0, n = 0; size < length; n++) {
    const word = `word${n.toString(36)}`;
    words.push(word);
    size += word.length + 1;
  }
  return words.join(' ').slice(0, length);
}
