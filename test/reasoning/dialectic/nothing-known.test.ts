import { nothingKnown } from '../../../lib/reasoning/dialectic/nothing-known.js';

const ENGLISH = /^I do not know/;
const KOREAN = /^알 수 없습니다/;
const JAPANESE = /^分かりません/;
const CHINESE = /^我不知道/;

describe('the answer where nothing is known', () => {
  it.each<readonly [string, RegExp]>([
    ['Where does she live?', ENGLISH],
    ['Where does 김민아 live?', ENGLISH],
    ['Who is 田中さん?', ENGLISH],
    ['?', ENGLISH],
    ['\ud83d', ENGLISH],
    ['¿Dónde vive?', ENGLISH],
    ['어디에 사나요?', KOREAN],
    ['staging DB migration 누가 했어?', KOREAN],
    ['金民雅는 어디에 있어?', KOREAN],
    ['どこに住んでいますか。', JAPANESE],
    ['Kubernetes cluster on AWS はどこ？', JAPANESE],
    ['カタカナ', JAPANESE],
    ['她住在哪里？', CHINESE],
    ['John 住在哪里?', CHINESE],
  ])('is to %j in the language of the question', (question, answer) => {
    expect(nothingKnown(question)).toMatch(answer);
  });
});
