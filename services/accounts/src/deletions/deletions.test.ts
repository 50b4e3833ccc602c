import { randomUUID } from 'node:crypto';
import { maxAttempts } from '@daylift/mail/mail';
import { publishedEvents } from '@daylift/testing/published';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aSignup,
  aSubscriber,
  aUser,
  codeOf,
  confirmEmail,
  userRow,
} from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';
import { cleanupLoop } from '../cleanup.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const remove = (id: string, body: unknown = { password: 'correct horse' }, version = 0) =>
  harness.call({ method: 'POST', url: '/users/me/delete', as: asUser(id, version), body });
const post = (url: string, id: string, body?: unknown) =>
  harness.call({ method: 'POST', url, as: asUser(id), ...(body !== undefined && { body }) });

/** Returns tables with a row that contains one of these values. */
async function tablesWith(...traces: string[]): Promise<string[]> {
  const { db } = harness.deps;
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(db);
  const holding: string[] = [];
  for (const { name } of tables.rows) {
    const found = await sql`select 1 from ${sql.table(name)} as t
      where exists (select 1 from unnest(${traces}::text[]) as trace
        where strpos(lower(t::text), lower(trace)) > 0) limit 1`.execute(db);
    if (found.rows.length > 0) holding.push(name);
  }
  return holding.sort();
}

describe('POST /users/me/delete', () => {
  it('erases the person from every table except the goodbye email', async () => {
    const friendOf = await aUser(harness);
    const user = await aSubscriber(harness, { name: 'Zenobia Quill', timezone: 'Asia/Kathmandu' });
    const { id, email, phone } = user;
    const link = (await post('/users/me/generate-referral', id)).json<{ referral_code: string }>();
    const friend = await aUser(harness, { ref: link.referral_code });
    await harness.call({
      method: 'PUT',
      url: '/users/me',
      as: asUser(id),
      body: { phone: '+12025550187', current_password: 'correct horse' },
    });
    await confirmEmail(harness, email);
    const message = { name: 'Zenobia Quill', email, subject: 'Again', message: 'Hello?' };
    await harness.call({ method: 'POST', url: '/contact', body: message });
    await post('/users/me/consent-request', id);
    await post('/support/contact', id, { subject: 'Hello', message: `Call me at ${phone}` });
    const wrong = { login: email, password: 'wrong password' };
    await harness.call({ method: 'POST', url: '/users/login', body: wrong });
    const forgotten = { email_or_phone: email, password: 'a new password' };
    await harness.call({ method: 'POST', url: '/users/set-password', body: forgotten });
    const guess = { ...forgotten, code: '000000' };
    await harness.call({ method: 'POST', url: '/users/set-password', body: guess });
    const traces = [email, phone, '+12025550187', 'Zenobia', 'Kathmandu', link.referral_code];
    expect((await tablesWith(...traces)).length).toBeGreaterThan(4);

    const response = await remove(id);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { detail: 'Your account has been deleted.' },
    ]);
    expect(await tablesWith(...traces)).toEqual(['mails']);
    const mails = await harness.mails(email);
    expect(mails.map((mail) => mail.subject)).toEqual(['Your Daylift account has been deleted']);
    const flags = await harness.deps.db
      .selectFrom('mails')
      .select('erase_when_done')
      .where('to_address', '=', email)
      .execute();
    expect(flags).toEqual([{ erase_when_done: true }]);
    expect(await tablesWith(id)).toEqual(['consents', 'erasures', 'mails', 'outbox']);
    expect((await userRow(harness, friend.id)).referrer_user_id).toBeNull();
    expect(await userRow(harness, friendOf.id)).toMatchObject({ name: 'Ada Lovelace' });
    // As if it had failed.
    const failed = { tries: maxAttempts, next_try_at: new Date(0) };
    await harness.deps.db
      .updateTable('mails')
      .set(failed)
      .where('to_address', '=', email)
      .execute();
    await cleanupLoop(harness.deps).run?.();
    expect(await tablesWith(...traces)).toEqual([]);
  });

  it('keeps messages of visitors and staff about an address that was only typed in', async () => {
    const email = 'victim@example.com';
    const message = { name: 'Vera', email, subject: 'Lost parcel', message: 'Where is it?' };
    await harness.call({ method: 'POST', url: '/contact', body: message });
    const { id } = await aUser(harness, { email });
    await remove(id);
    const { letters, mails } = await harness.deps.db
      .selectNoFrom((select) => [
        select
          .selectFrom('letters')
          .select((rows) => rows.fn.countAll<number>().as('count'))
          .where('email', '=', email)
          .as('letters'),
        select
          .selectFrom('mails')
          .select((rows) => rows.fn.countAll<number>().as('count'))
          .where('reply_to', '=', email)
          .as('mails'),
      ])
      .executeTakeFirstOrThrow();
    expect([letters, mails]).toEqual([1, 1]);
  });

  it('publishes one event, the last one about this person', async () => {
    const { id } = await aUser(harness);
    await remove(id);
    const about = (await publishedEvents(harness.deps.db)).filter(
      (event) => (event.data as { user_id: string }).user_id === id,
    );
    expect(about.map((event) => [event.type, event.data])).toEqual([
      ['accounts.user.deleted', { user_id: id }],
    ]);
  });

  it('keeps proof of consent: number hash, wording and time', async () => {
    const { id, phone } = await aUser(harness);
    await remove(id);
    const proofs = await harness.deps.db
      .selectFrom('consents')
      .selectAll()
      .where('user_id', '=', id)
      .execute();
    expect(proofs).toEqual([
      {
        id: expect.any(String),
        user_id: id,
        phone_hash: harness.deps.identityHash(phone),
        source: 'signup',
        wording_version: 'signup-1',
        given_at: new Date('2027-03-06T15:00:00Z'),
        ip: null,
        user_agent: null,
        timezone: null,
        delivery_hour: null,
        admin_id: null,
      },
    ]);
  });

  it('ends all sessions and the login immediately, and lets the person sign up again', async () => {
    const form = aSignup();
    const { id } = await aUser(harness, form);
    await remove(id);
    expect((await harness.call({ url: '/users/me', as: asUser(id) })).statusCode).toBe(401);
    const query = { kind: 'user', subject: id, version: '0', token_id: randomUUID() };
    const state = await harness.call({
      url: `/internal/sessions?${new URLSearchParams(query)}`,
      as: asService,
    });
    expect(state.json()).toMatchObject({ valid: false });
    const facts = await harness.call({ url: `/internal/signups/${id}`, as: asService });
    expect(facts.statusCode).toBe(404);
    const login = { login: form.email, password: form.password };
    const rejected = await harness.call({ method: 'POST', url: '/users/login', body: login });
    expect(rejected.statusCode).toBe(401);
    const recreated = await aUser(harness, form);
    expect(recreated.id).not.toBe(id);
    const welcome = await harness.call({ method: 'POST', url: '/users/login', body: login });
    expect(welcome.statusCode).toBe(200);
  });

  it('requires the password, and slows down guessing', async () => {
    const { id } = await aUser(harness);
    const wrong = await remove(id, { password: 'battery staple' });
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([422, 'PASSWORD_WRONG']);
    expect(wrong.json()).toMatchObject({ detail: 'Your password is incorrect.' });
    for (const body of [{}, { password: '' }, { password: 7 }, { password: 'x', force: true }])
      expect((await remove(id, body)).statusCode).toBe(400);
    for (let tried = 0; tried < 4; tried += 1) await remove(id, { password: 'battery staple' });
    const limited = await remove(id);
    expect([limited.statusCode, codeOf(limited)]).toEqual([429, 'TOO_MANY_TRIES']);
    expect(await userRow(harness, id)).toMatchObject({ is_active: true });
    expect(await harness.mails((await userRow(harness, id)).email ?? '')).toEqual([]);
  });

  it('happens once for concurrent requests', async () => {
    const { id, email } = await aSubscriber(harness);
    const responses = await Promise.all(Array.from({ length: 4 }, () => remove(id)));
    expect(responses.map((response) => response.statusCode).sort()).toEqual([200, 401, 401, 401]);
    expect(await harness.mails(email)).toHaveLength(1);
  });

  it("can't be undone by late events", async () => {
    const { id } = await aSubscriber(harness);
    await remove(id);
    const at = '2027-03-06T16:00:00.000Z';
    const setting = { user_id: id, change: { command: 'resume' }, at };
    expect(await harness.receive('sms.setting.requested', setting)).toBe('handled');
    const confirmed = { user_id: id, recipient_version: 1, at };
    expect(await harness.receive('sms.consent.confirmed', confirmed)).toBe('handled');
    await harness.receive('sms.recipient.opted_out', { user_id: id, at, source: 'keyword' });
    await harness.receive('billing.referrals.changed', { user_id: id, version: 1, successful: 1 });
    expect(await tablesWith(id)).toEqual(['consents', 'erasures', 'mails', 'outbox']);
  });

  it('is for that subscriber only', async () => {
    const { id } = await aUser(harness);
    const call = {
      method: 'POST' as const,
      url: '/users/me/delete',
      body: { password: 'correct horse' },
    };
    expect((await harness.call(call)).statusCode).toBe(401);
    expect((await harness.call({ ...call, as: asAdmin('owner') })).statusCode).toBe(403);
    expect((await remove(id, call.body, 1)).statusCode).toBe(401);
    expect(await userRow(harness, id)).toMatchObject({ is_active: true });
  });
});
