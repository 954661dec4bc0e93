import { splitSentences } from '../sentences.js';

// Greetings, thanks, assent and fillers, by language. A sentence is small talk only when nothing but these words is in
// it, so a name, a number or a verb too many keeps it.
const ENGLISH = words(`
  hi hello hey heya hiya yo greetings howdy welcome bye goodbye cya later see you soon then
  good morning afternoon evening night day great nice cool awesome wow whoa oh ah aw aww yay haha hahaha lol hmm um uh ok okay
  k sure yes yeah yep yup no nope right exactly absolutely definitely totally indeed alright fine
  thanks thank thx ty you u so much very really a lot for your help all everything welcome cheers please sorry
  no problem worries np my pleasure anytime sounds got it i see understood lovely amazing fantastic perfect wonderful
  take care have one the to talk there too as well again back and that is thats it's its you're youre`);
const KOREAN = words(`
  안녕 안녕하세요 안녕하십니까 반갑습니다 반가워요 반가워 네 예 넵 넹 응 어 음 아 아하 오 와 우와 아니요 아니오 아뇨 아니 그래 그래요 그렇군요 그렇구나
  그렇죠 맞아요 맞아 맞습니다 좋아요 좋아 좋습니다 좋네요 알겠습니다 알겠어요 알았어요 알았어 감사합니다 감사해요 고마워요 고마워 고맙습니다 정말 진짜 너무 대단히
  죄송합니다 죄송해요 미안해요 미안 괜찮아요 괜찮습니다 수고하세요 수고하셨습니다 수고 안녕히 계세요 가세요 잘 자 자요 가 가요 들어가세요 다음에 봐요 봐 또 뵙겠습니다
  이따 ㅋ ㅋㅋ ㅋㅋㅋ ㅋㅋㅋㅋ ㅎㅎ ㅎㅎㅎ ㅇㅇ ㅇㅋ ㄱㅅ 오케이 오키 굿 대박 헐 정말요 진짜요 도와주셔서 덕분에 화이팅 파이팅 좋은 하루 되세요 보내세요 주말 아침 저녁 밤`);
const JAPANESE_AND_CHINESE = words(`
  こんにちは こんばんは おはよう おはようございます ありがとう ありがとうございます どうも はい いいえ うん ええ そうですね そうですか なるほど 了解 了解です 了解しました
  わかりました すみません ごめんなさい お疲れ様です お疲れ様でした さようなら またね よろしく よろしくお願いします おやすみ おやすみなさい すごい いいですね
  你好 您好 嗨 大家好 早 早上好 上午好 下午好 晚上好 晚安 再见 拜拜 谢谢 多谢 感谢 谢谢你 谢谢您 好 好的 好吧 嗯 是 是的 对 没错 明白 明白了 知道了 收到 哈哈 哈哈哈 没关系 不客气 对不起 抱歉 辛苦了 太好了 真棒 不错`);
const SMALL_TALK = new Set([...ENGLISH, ...KOREAN, ...JAPANESE_AND_CHINESE]);

const QUESTION = /[?？]["'”’」』）)\]\s]*$/u;

// Who asks about themselves may tell something by it: "Did you know that I moved?", 내가 서버를 껐던 거 알아?
const FIRST_PERSON =
  /\b(?:i|i'm|i've|i'll|i'd|my|mine|me|we|we're|we've|our|ours|us)\b|(?:^|\s)(?:저|제|저희|나|내|우리|저는|나는|우리는|제가|내가|저도|나도)(?=\s|[가-힣])|[我咱俺]|私|僕|俺/iu;

// But not where they plainly ask for something: "When do we deploy?", 우리 배포는 언제 하죠?
const ASKING =
  /^[\p{P}\s]*(?:(?:so|and|but|ok|okay|well|hey|hi|hello|also|then|oh|um|please)[\p{P}\s]+)*(?:who|whom|whose|what|what's|whats|when|when's|where|where's|which|why|how|how's|do|does|did|is|are|was|were|am|can|could|should|shall|will|would|may|might|must|have|has|had)\b|언제|어디|누구|누가|무엇|뭐|무슨|왜|어떻게|어떤|어느|몇|얼마|いつ|どこ|だれ|誰|何|なぜ|なに|どう|どの|どれ|いくら|什么|什麼|哪|谁|誰|为什么|為什麼|怎么|怎麼|几点|多少/iu;
const TELLING =
  /\b(?:know|knew|hear|heard|remember|believe|notice|noticed|realise|realize|mention|mentioned|tell|told|guess)\b|알아|아세요|아시|아니\?|기억|들었|知って|知道|听说|聽說/iu;

/** Whether nothing is left of a text when greetings, questions and fillers are taken out. Says no when in doubt. */
export function isSmallTalk(text: string): boolean {
  return splitSentences(text).every((sentence) => isFiller(sentence) || isPlainQuestion(sentence));
}

function isFiller(sentence: string): boolean {
  const found = sentence
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}\p{N}']+/gu);
  return (found ?? []).every((word) => SMALL_TALK.has(word));
}

function isPlainQuestion(sentence: string): boolean {
  if (!QUESTION.test(sentence)) return false;
  const plain = sentence.replaceAll('’', "'");
  return !FIRST_PERSON.test(plain) || (ASKING.test(plain) && !TELLING.test(plain));
}

function words(list: string): readonly string[] {
  // As the words of a text are, since compatibility jamo such as ㅋ are other characters then.
  return list.normalize('NFKC').trim().split(/\s+/u);
}
