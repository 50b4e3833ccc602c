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

test.each([
  'error 40300 after 3 tries at 09:00: relation "users" does not exist',
  'connect ECONNREFUSED 127.0.0.1:26014',
  'connect ETIMEDOUT 10.20.30.40:5432',
  'connect ETIMEDOUT 20.30.40.50:443',
  'no pg_hba.conf entry for host "172.31.255.4", user "billing"',
])('words, codes, times and IP addresses stay readable: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  '415.555.0101',
  '1.415.555.0101',
  '+1.212.100.0101',
  '06.12.34.56.78',
  '20.12.34.56',
  '+33.1.42.68',
  '49.30.123.45-67',
  '127.0.0.10101',
  '91.123.45.67',
  '212.123.45.67',
  '44.123.45.67',
  '+10.123.45.67',
  '1.212.10.100',
  '33.1.42.68 12 34',
])('a phone number written like an IP address is hidden: %s', (text) => {
  expect(redact(`no route to ${text} now`)).toBe('no route to [number] now');
});

test('a phone number beside an IP address is hidden', () => {
  expect(redact('127.0.0.1 refused 415.555.0101 and 10.0.0.1, not 4155550101')).toBe(
    '127.0.0.1 refused [number] and 10.0.0.1, not [number]',
  );
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
