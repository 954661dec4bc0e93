/** Whether a text says when by the time at which it was said, and how exactly: `'day'`, `'instant'`, or not at all. */
export type TimeReference = 'none' | 'day' | 'instant';

// Where it is doubtful whether a word is relative it stands here: two facts too many are better than one too few. Not
// here are words of state ("still", 아직) and what comes round again ("every Monday", 매주 월요일, "in the morning").
const SPAN = '(?:seconds?|minutes?|mins?|hours?|hrs?|moments?|while)';
const LONG_SPAN = '(?:days?|nights?|weeks?|weekends?|months?|years?|quarters?|fortnights?|decades?)';
const ENGLISH_DAY =
  'today|tonight|tomorrow|tmrw|yesterday|overnight|upcoming|recent|recently|lately|nowadays|these days|the other day|' +
  `this (?:${LONG_SPAN}|morning|afternoon|evening|spring|summer|autumn|fall|winter|time|\\w+day|sprint|term|semester)|` +
  '(?:next|last)(?! names?\\b| to\\b|\\.js)|(?:coming|past|previous|following)|the weekend|so far|(?:until|since|by) then|' +
  `eod|eow|eom|end of (?:the )?${LONG_SPAN}|(?<!every |each )(?:mon|tues|wednes|thurs|fri|satur|sun)day|` +
  `${LONG_SPAN} (?:ago|later|earlier|before|after|from now|hence)|in (?:\\S+ )?${LONG_SPAN}`;
const ENGLISH_INSTANT = `now|currently|at present|at the moment|ago|later|soon|shortly|earlier|in (?:\\S+ )?${SPAN}|a ${SPAN}`;
const KOREAN_DAY =
  '오늘|내일|어제|그제|그저께|엊그제|모레|글피|어젯밤|간밤|금일|명일|작일|익일|당일|전날|다음 ?날|이튿날|이틀|사흘|나흘|며칠|' +
  '이번|요번|다음 ?(?:주|달|해|번|분기|학기)|담주|담달|지난|저번|올해|올 ?(?:봄|여름|가을|겨울)|작년|내년|재작년|내후년|후년|' +
  '금년|금주|차주|내주|금월|최근|요즘|요새|(?<!매주 ?)(?:[월화수목금토일]요일|주말)(?!마다)|[일루주월년달해] ?(?:전|후|뒤)|개월 ?(?:전|후|뒤)';
const KOREAN_INSTANT = '지금|현재|방금|아까|이따|나중|곧|당장|[초분간] ?(?:전|후|뒤)|조금 ?전|잠시';
const CHINESE_AND_JAPANESE_DAY =
  '今日|明日|昨日|本日|翌日|前日|明後日|一昨日|おととい|あさって|きょう|あした|きのう|今朝|今夜|今晩|昨夜|昨晩|明朝|明晩|' +
  '[今来先本翌][週周月年]|再来|先々|去年|昨年|前年|后年|後年|明年|先日|この間|最近|近頃|このごろ|次の|次回|前回|' +
  '(?<!毎週)[月火水木金土日]曜|今天|明天|昨天|后天|後天|前天|今早|今晚|昨晚|明早|明晚|日前|近日|近期|' +
  '[上下本这這][个個]?(?:周|週|月|星期|礼拜|禮拜|季度|次|年)|(?<!每[个個]?)(?:星期|礼拜|禮拜)[一二三四五六日天]|' +
  '(?<!每)[周週][一二三四五六日天末]|[日天周週月年][之以]?[前後后]';
const CHINESE_AND_JAPANESE_INSTANT =
  '今|現在|现在|目前|当前|剛|刚|さっき|先ほど|もうすぐ|これから|まもなく|马上|馬上|待会|稍后|以前|以后|以後|' +
  '[秒分時时間间钟鐘][之以]?[前後后]';

const INSTANT = pattern(ENGLISH_INSTANT, `${KOREAN_INSTANT}|${CHINESE_AND_JAPANESE_INSTANT}`);
const DAY = pattern(ENGLISH_DAY, `${KOREAN_DAY}|${CHINESE_AND_JAPANESE_DAY}`);

function pattern(words: string, unspaced: string): RegExp {
  return new RegExp(`\\b(?:${words})\\b|${unspaced}`, 'iu');
}

/** What a text's own words are relative to: nothing, the day, or the very time at which it was said. */
export function timeReference(text: string): TimeReference {
  if (INSTANT.test(text)) return 'instant';
  return DAY.test(text) ? 'day' : 'none';
}
