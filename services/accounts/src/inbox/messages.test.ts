import type { ContactRequest } from '@daylift/contracts/accounts.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUser, codeOf } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const inbox = (email: string) =>
  harness.deps.db
    .selectFrom('letters')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at')
    .execute();
/** Returns the mail to the support address about a message. */
const mailOf = (messageId: string) =>
  harness.deps.db
    .selectFrom('mails')
    .selectAll()
    .where('key', '=', `letter:${messageId}`)
    .executeTakeFirstOrThrow();

describe('POST /support/contact', () => {
  const write = (id: string, body?: unknown, query = '') =>
    harness.call({
      method: 'POST',
      url: `/support/contact${query}`,
      as: asUser(id),
      ...(body !== undefined && { body }),
    });

  it('adds a message to the inbox and mails it to support, with the sender as reply-to', async () => {
    const user = await aUser(harness);
    const message = 'Hello,\r\n<b>no</b> text came & "today".\r\n\r\nAda 😀';
    const response = await write(user.id, { subject: ' No text today ', message });
    expect(response.statusCode).toBe(202);
    expect(response.json()).toEqual({
      detail: "Support message sent successfully! We'll get back to you within 24 hours.",
    });
    const text = 'Hello,\n<b>no</b> text came & "today".\n\nAda 😀';
    const [received, ...rest] = await inbox(user.email);
    expect(rest).toEqual([]);
    expect(received).toMatchObject({
      kind: 'support',
      user_id: user.id,
      name: 'Ada Lovelace',
      subject: 'No text today',
      message: text,
    });
    const mail = await mailOf(received?.id ?? '');
    expect(mail).toMatchObject({
      to_address: 'support@daylift.test',
      reply_to: user.email,
      subject: '[Support] No text today',
    });
    expect(mail.text).toContain(text);
    expect(JSON.stringify([received, mail])).not.toContain(user.phone);
  });

  it('accepts the query too, preferring the body', async () => {
    const user = await aUser(harness);
    const query = '?subject=By%20query&message=One+%2B+one';
    expect((await write(user.id, undefined, query)).statusCode).toBe(202);
    expect((await write(user.id, {}, query)).statusCode).toBe(202);
    const body = { subject: 'By body', message: 'Two' };
    expect((await write(user.id, body, query)).statusCode).toBe(202);
    const subjects = (await inbox(user.email)).map((one) => `${one.subject}: ${one.message}`);
    expect(subjects.sort()).toEqual(['By body: Two', 'By query: One + one', 'By query: One + one']);
  });

  it('explains an invalid form, and stores nothing', async () => {
    const user = await aUser(harness);
    const good = { subject: 'Hello', message: 'Good morning' };
    const wrong: [unknown, string][] = [
      [{ message: 'Hello' }, 'Please fill in "subject".'],
      [{ subject: 'Hello' }, 'Please fill in "message".'],
      [{ ...good, subject: '' }, 'Please fill in "subject".'],
      [{ ...good, message: '' }, 'Please fill in "message".'],
      [{ ...good, subject: '   ' }, '"subject" does not have the expected form, or is blank.'],
      [{ ...good, subject: 'x'.repeat(151) }, '"subject" may have at most 150 characters.'],
      [{ ...good, message: 'x'.repeat(4_001) }, '"message" may have at most 4000 characters.'],
      [{ ...good, user_id: user.id }, '"user_id" is not a field of this body. Please remove it.'],
      [{ ...good, message: 7 }, '"message" must be of type string.'],
    ];
    const oneLine = 'The subject must be a single line of plain text.';
    for (const subject of [
      ...['a\r\nBcc: b@example.com', 'a\nb', 'a\tb', 'a\u001bb', 'a\u202eb'],
      'Hi =?UTF-8?B?SGVsbG8=?= there',
    ])
      wrong.push([{ ...good, subject }, oneLine]);
    for (const [body, detail] of wrong) {
      const response = await write(user.id, body);
      expect([body, response.statusCode]).toEqual([body, 400]);
      expect(response.json()).toMatchObject({ detail });
    }
    const inQuery = await write(user.id, undefined, '?subject=a%0d%0aBcc:b&message=Hello');
    expect(inQuery.json()).toMatchObject({ detail: oneLine });
    expect((await write(user.id)).statusCode).toBe(400);
    expect(await inbox(user.email)).toEqual([]);
  });

  it('accepts five messages per hour and account, also concurrently', async () => {
    const user = await aUser(harness);
    const message = { subject: 'Hello', message: 'Good morning' };
    const responses = await Promise.all(Array.from({ length: 8 }, () => write(user.id, message)));
    expect(responses.map((one) => one.statusCode).sort()).toEqual([
      ...Array(5).fill(202),
      ...Array(3).fill(429),
    ]);
    const rejected = await write(user.id, message);
    expect([rejected.statusCode, codeOf(rejected)]).toEqual([429, 'TOO_MANY_LETTERS']);
    expect(rejected.json<{ detail: string }>().detail).toContain(
      'please wait an hour before sending another',
    );
    expect(await inbox(user.email)).toHaveLength(5);
    expect((await write((await aUser(harness)).id, message)).statusCode).toBe(202);
    harness.clock.advance({ hours: 2 });
    expect((await write(user.id, message)).statusCode).toBe(202);
    harness.clock.set(testStart);
  });

  it('is for that subscriber only', async () => {
    const { id } = await aUser(harness);
    const call = { method: 'POST' as const, url: '/support/contact?subject=a&message=b' };
    expect((await harness.call(call)).statusCode).toBe(401);
    expect((await harness.call({ ...call, as: asAdmin() })).statusCode).toBe(403);
    expect((await harness.call({ ...call, as: asUser(id, 1) })).statusCode).toBe(401);
  });
});

describe('POST /contact', () => {
  const aMessage = (form: Partial<ContactRequest> = {}) => ({
    name: 'Vera Visitor',
    email: 'Vera@Example.com',
    subject: 'A question',
    message: 'How does it work?',
    ...form,
  });
  const write = (body: unknown, ip = '203.0.113.1') =>
    harness.call({ method: 'POST', url: '/contact', body, headers: { 'x-client-ip': ip } });

  it('accepts a message from anyone and mails it to support', async () => {
    const response = await write(aMessage());
    expect([response.statusCode, response.json()]).toEqual([202, { detail: 'Message Sent!' }]);
    const [received] = await inbox('vera@example.com');
    expect(received).toMatchObject({
      kind: 'contact',
      user_id: null,
      name: 'Vera Visitor',
      subject: 'A question',
      message: 'How does it work?',
    });
    expect(JSON.stringify(received)).not.toContain('203.0.113.1');
    expect(await mailOf(received?.id ?? '')).toMatchObject({
      to_address: 'support@daylift.test',
      reply_to: 'vera@example.com',
      subject: '[Contact] A question',
    });
  });

  it('rejects header injection and invalid addresses', async () => {
    const email = 'careful@example.com';
    const wrong = [
      { name: 'Vera\r\nBcc: other@example.com' },
      { name: 'Vera\u0007' },
      { name: '   ' },
      { subject: 'Hi\r\nBcc: other@example.com' },
      { email: 'vera' },
      { email: 'vera@example.com\r\nBcc: other@example.com' },
      { message: ' \n ' },
      { message: 'x'.repeat(4_001) },
    ];
    for (const form of wrong) {
      const response = await write(aMessage({ email, ...form }), '203.0.113.2');
      expect([form, response.statusCode]).toEqual([form, 400]);
      expect(response.json<{ detail: string }>().detail.length).toBeGreaterThan(10);
    }
    expect((await write({})).statusCode).toBe(400);
    expect(await inbox(email)).toEqual([]);
  });

  it('accepts five messages per hour and email, and five per IP address', async () => {
    const email = 'often@example.com';
    const fromOneEmail = await Promise.all(
      Array.from({ length: 8 }, (_, last) => write(aMessage({ email }), `198.51.100.${last}`)),
    );
    expect(fromOneEmail.map((one) => one.statusCode).sort()).toEqual([
      ...Array(5).fill(202),
      ...Array(3).fill(429),
    ]);
    const fromOneAddress = await Promise.all(
      Array.from({ length: 8 }, (_, last) =>
        write(aMessage({ email: `botnet${last}@example.com` }), '192.0.2.7'),
      ),
    );
    expect(fromOneAddress.filter((one) => one.statusCode === 429)).toHaveLength(3);
    harness.clock.advance({ hours: 2 });
    expect((await write(aMessage({ email }), '192.0.2.7')).statusCode).toBe(202);
    harness.clock.set(testStart);
  });
});
