/** One JSON line for each test, none for a suite. */
export default async function* reporter(events) {
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    const status = type === 'test:fail' ? 'failed' : data.skip === undefined ? 'passed' : 'skipped';
    yield `${JSON.stringify({ name: data.name, status, message: data.details?.error?.message })}\n`;
  }
}
