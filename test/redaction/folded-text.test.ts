import fc from 'fast-check';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';
import { foldText } from '../../lib/redaction/folded-text.js';

const policy = new DefaultRedactionPolicy();
const redact = (text: string): string => policy.redact(text).redactedContent;
const PASSWORD = ['plum7', 'river'].join('');

const wide = (text: string): string =>
  [...text].map((unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0)).join('');

describe('a text as rules see it', () => {
  it('is narrow where it was wide, and as long', () => {
    expect(foldText(wide('Password=a1')).text).toBe('Password=a1');
    expect(foldText('a\u00a0b\u3000c\u2011d\u2013e').text).toBe('a b c-d-e');
  });

  it('is the same object where there is nothing to fold', () => {
    expect(foldText('plain, 평문 and 平文').text).toBe('plain, 평문 and 平文');
  });

  it('keeps wide what ends a sentence, since it ends a value too', () => {
    expect(foldText('\uff01\uff0c\uff1b\uff1f').text).toBe('\uff01\uff0c\uff1b\uff1f');
  });

  it('leads back to the characters that were given, whatever was left out between them', () => {
    const unit = fc.constantFrom('a', 'b', '\u200b', '\u00ad', '\u200d', '\ufeff', '\uff21', '비');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
        const original = units.join('');
        const { text, unfolded } = foldText(original);
        for (let at = 0; at < text.length; at++) {
          const { start, end } = unfolded({ start: at, end: at + 1 });
          expect(end - start).toBe(1);
          expect(foldText(original.slice(start, end)).text).toBe(text[at]);
        }
      }),
    );
  });
});

describe('the gate reads through how a text is written', () => {
  it.each([
    ['wide letters', `${wide('password')}\uff1a${PASSWORD}`],
    ['a wide colon', `password\uff1a${PASSWORD}`],
    ['a wide colon after Chinese', `密码\uff1a${PASSWORD}`],
    ['a wide colon after Japanese', `パスワード\uff1a${PASSWORD}`],
    ['a wide equals sign', `token\uff1d${PASSWORD}${PASSWORD}`],
    ['wide brackets', `비밀번호\uff08운영\uff09: ${PASSWORD}`],
    ['no room between letters', `pass\u200bword: ${PASSWORD}`],
    ['a soft hyphen', `p\u00adassword=${PASSWORD}`],
    ['a joiner', `비밀\u200d번호: ${PASSWORD}`],
    ['a mark of the byte order', `\ufeffpassword=${PASSWORD}`],
    ['spaces that do not break', `password\u00a0:\u00a0${PASSWORD}`],
    ['an ideographic space', `password =\u3000${PASSWORD}`],
  ])('%s', (_name, text) => {
    const masked = redact(text);
    expect(masked).toBe(text.replaceAll(PASSWORD, '').concat('[REDACTED:SECRET]'));
    expect(redact(masked)).toBe(masked);
  });

  it('masks a secret with something invisible in it as a whole', () => {
    const masked = redact(`password=plum7\u200briver`);
    expect(masked).toBe('password=[REDACTED:SECRET]');
  });
});
