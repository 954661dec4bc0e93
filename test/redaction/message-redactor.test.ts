import { RedactionError } from '../../lib/domain/errors.js';
import { normaliseMessage } from '../../lib/domain/memory-message.js';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';
import { MessageRedactor } from '../../lib/redaction/message-redactor.js';

const PASSWORD = ['plum7', 'river'].join('');
const redactor = new MessageRedactor(new DefaultRedactionPolicy());

describe('a redactor of messages', () => {
  it('masks each in order and keeps everything else', async () => {
    const messages = [
      normaliseMessage({ role: 'user', id: 'm1', content: `password: ${PASSWORD}`, createdAt: new Date(7) }),
      normaliseMessage({ role: 'assistant', id: 'm2', content: null }),
    ];
    const masked = await redactor.redactMessages(messages);
    expect(masked).toEqual([
      { role: 'user', id: 'm1', content: 'password: [REDACTED:SECRET]', createdAt: new Date(7) },
      { role: 'assistant', id: 'm2', content: null },
    ]);
    expect(messages[0]!.content).toContain(PASSWORD);
    expect(await redactor.redactMessages(masked)).toEqual(masked);
  });

  it('masks the text of a file, plain or encoded, and leaves one that is no text', async () => {
    const encoded = Buffer.from(`DB_PASSWORD=${PASSWORD}\n`).toString('base64');
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0xff]).toString('base64');
    const files = [`DB_PASSWORD=${PASSWORD}\n`, encoded, `data:text/plain;base64,${encoded}`, picture];
    const content = files.map((file_data) => ({ type: 'file', file: { file_data } }) as const);
    const [masked] = await redactor.redactMessages([normaliseMessage({ role: 'user', content })]);
    const data = (masked!.content as typeof content).map((part) => part.file.file_data);
    const plain = 'DB_PASSWORD=[REDACTED:SECRET]\n';
    const again = Buffer.from(plain).toString('base64');
    expect(data).toEqual([plain, again, `data:text/plain;base64,${again}`, picture]);
  });

  it('rejects when the policy fails, and when the signal is aborted', async () => {
    const broken = new MessageRedactor({ name: 'broken', redact: () => JSON.parse('') as never });
    const messages = [normaliseMessage({ role: 'user', content: 'hello' })];
    await expect(broken.redactMessages(messages)).rejects.toThrow(RedactionError);
    await expect(redactor.redactMessages(messages, AbortSignal.abort('enough'))).rejects.toBe('enough');
  });
});
