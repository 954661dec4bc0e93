const SENTENCES = {
  english: 'I do not know: nothing that is remembered answers this question.',
  korean: '알 수 없습니다. 이 질문에 답할 수 있는 기억이 없습니다.',
  japanese: '分かりません。この質問に答えられる記憶がありません。',
  chinese: '我不知道。记忆中没有可以回答这个问题的内容。',
} as const;

// What a question in English hardly does without. A name in another script does not make it a question in that language,
// while one in Korean or Japanese may consist of English terms to the greater part.
const ENGLISH = /\b(?:what|who|whom|whose|where|when|which|why|how|is|are|was|were|do|does|did|has|have|can|tell)\b/i;

/** What is answered where nothing is known, in the language of the question as far as its script tells. */
export function nothingKnown(question: string): string {
  if (ENGLISH.test(question)) return SENTENCES.english;
  const hangul = count(question, /\p{Script=Hangul}/gu);
  const kana = count(question, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  if (hangul > 0 && hangul >= kana) return SENTENCES.korean;
  if (kana > 0) return SENTENCES.japanese;
  return count(question, /\p{Script=Han}/gu) > 0 ? SENTENCES.chinese : SENTENCES.english;
}

const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;
