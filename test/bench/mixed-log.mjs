import { Buffer } from 'node:buffer';

/** A log as services write it, in English and Korean, with something to be masked in one line of twenty. Always the same. */
export function mixedLog(bytes) {
  let state = 20_260_302;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const whole = (low, high) => low + Math.floor(random() * (high - low + 1));
  const pick = (list) => list[Math.floor(random() * list.length)];
  const hex = (length) => Array.from({ length }, () => whole(0, 15).toString(16)).join('');
  const time = () => `2026-03-0${whole(1, 9)}T1${whole(0, 9)}:${whole(10, 59)}:${whole(10, 59)}.${whole(100, 999)}Z`;
  const unit = () => pick(['orders', 'ledger', 'mailer', 'crawler', 'router']);
  const word = () => Array.from({ length: whole(8, 14) }, () => pick('abcdefghijkmnpqrstuvwxyz23456789')).join('');
  const ordinary = [
    () =>
      `${time()} INFO ${unit()} request=${hex(16)} path=/api/v2/${unit()}/${whole(1, 99999)} status=200 ms=${whole(1, 900)}`,
    () =>
      JSON.stringify({
        at: time(),
        level: 'debug',
        unit: unit(),
        span: hex(16),
        text: 'batch done',
        rows: whole(1, 900),
      }),
    () => `    at ${unit()}.process (/srv/app/${unit()}.js:${whole(1, 900)}:${whole(1, 80)})`,
    () => `${time()} WARN ${unit()} 큐 지연 ${whole(10, 900)}ms, 다시 시도 ${whole(1, 5)}회`,
    () => `198.51.100.${whole(1, 254)} - - "GET /assets/${hex(10)}.css HTTP/2.0" 304 0 "-" "curl/8.${whole(0, 9)}"`,
  ];
  const telling = [
    () => `${time()} ERROR ${unit()} could not log in with password=${word()}-${whole(10, 99)}`,
    () => `DATABASE_URL=postgres://${unit()}:${word()}${whole(10, 99)}@db-${whole(1, 9)}.internal:5432/app`,
    () =>
      `${time()} INFO mailer sent to ${word()}@mail.example.org from 10.${whole(0, 255)}.${whole(0, 255)}.${whole(1, 254)}`,
    () => `접속 비밀번호는 ${word()}${whole(10, 99)}입니다`,
    () => JSON.stringify({ at: time(), headers: { authorization: `Bearer ${word()}${word()}${word()}` } }),
  ];
  const lines = [];
  for (let length = 0; length < bytes;) {
    const line = (random() < 0.95 ? pick(ordinary) : pick(telling))();
    lines.push(line);
    length += Buffer.byteLength(line) + 1;
  }
  return `${lines.join('\n')}\n`;
}
