// A full stop ends a sentence before white space only, so that `10.2.3.4`, `OrderService.retry` and `1.5` stay whole;
// CJK stops need none.
const SENTENCE = /[^\n。！？]*?(?:[.!?…]+(?=["'”’)\]]*\s)["'”’)\]]*|[。！？]+[」』”’）]*|\n+|$)\s*/gu;

/** A text in sentences, each with the white space behind it: joined again they are the text. */
export function splitSentences(text: string): readonly string[] {
  return (text.match(SENTENCE) ?? []).filter((sentence) => sentence !== '');
}
