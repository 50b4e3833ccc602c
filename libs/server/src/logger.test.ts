import { expect, test } from 'vitest';
import { createLogger, redact } from './logger.ts';

test.each([
  ['no route to +14155550101', 'no route to [number]'],
  ['no route to (415) 555-0101 now', 'no route to ([number] now'],
  ['Key (phone)=(+447700900123) already exists.', 'Key (phone)=([number]) already exists.'],
  ['Key (email)=(ada@example.com) already exists.', 'Key [address] already exists.'],
  ['mail to <ada.lovelace@example.co.uk> bounced', 'mail to <[address]> bounced'],
  [`Invalid API Key provided: ${'sk'}_test_51Habc`, 'Invalid API Key provided: [key]'],
  ['signed with whsec_0123456789ab', 'signed with [key]'],
  [`${'sk'}_test_51Hab0123456789cd`, '[key]'],
])('%j is logged as %j', (text, logged) => {
  expect(redact(text)).toBe(logged);
});

test('words, codes and times stay readable', () => {
  const text = 'error 40300 after 3 tries at 09:00: relation "users" does not exist';
  expect(redact(text)).toBe(text);
});

test.each([
  [new TypeError('no +14155550101'), { type: 'TypeError', message: 'no [number]' }],
  ['SIGTERM at +14155550101', { message: 'SIGTERM at [number]' }],
  [{ code: '57P01' }, { code: '57P01', message: '' }],
  [null, { message: 'null' }],
])("a thrown value is logged even if it isn't an error: %s", (thrown, logged) => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  log.fatal({ err: thrown }, 'uncaught error');
  expect(JSON.parse(lines.join(''))).toMatchObject({ err: logged });
});
