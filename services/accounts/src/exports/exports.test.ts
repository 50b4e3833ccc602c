import type { UserExport } from '@daylift/contracts/accounts.http';
import { queueMail } from '@daylift/mail/mail';
import { Unavailable } from '@daylift/server/error';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aUser, codeOf, confirmEmail, setUser } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(() => {
  harness.parts.billing = async () => ({ invoices: [{ number: 'D-1' }] });
  harness.parts.scheduler = async () => ({ days: [] });
  harness.parts.smsGateway = async () => ({ texts: ['Good morning.'] });
});
afterAll(() => harness.close());

const download = (id: string) => harness.call({ url: '/users/me/export', as: asUser(id) });
const post = (url: string, id: string, body?: unknown) =>
  harness.call({ method: 'POST', url, as: asUser(id), ...(body !== undefined && { body }) });

/** Returns every value in rows that contain this id, with the table's name. */
async function valuesBeside(id: string): Promise<string[]> {
  const { db } = harness.deps;
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'user_id'`.execute(db);
  const values: string[] = [];
  for (const { name } of [...tables.rows, { name: 'users' }]) {
    const column = name === 'users' ? 'id' : 'user_id';
    const rows = await sql<{ row: Record<string, unknown> }>`select to_jsonb(t) as row
      from ${sql.table(name)} as t where ${sql.ref(column)} = ${id}`.execute(db);
    // Mails to the support address repeat the messages.
    const own = rows.rows.filter(({ row }) => !String(row.key).startsWith('letter:'));
    for (const { row } of own)
      for (const [field, value] of Object.entries(row)) values.push(`${name}.${field}=${value}`);
  }
  return values;
}

describe('GET /users/me/export', () => {
  it('returns a file with all data of all services about the person', async () => {
    const user = await aUser(harness, { name: 'Zenobia Quill' });
    await confirmEmail(harness, user.email);
    await post('/users/me/generate-referral', user.id);
    await post('/support/contact', user.id, { subject: 'Hello', message: 'Good morning' });
    const phone = '+12025550188';
    const body = { phone, current_password: 'correct horse' };
    await harness.call({ method: 'PUT', url: '/users/me', as: asUser(user.id), body });
    const paths: string[] = [];
    for (const part of ['billing', 'scheduler', 'smsGateway'] as const) {
      const respond = harness.parts[part];
      harness.parts[part] = async (path) => {
        paths.push(path);
        return respond(path);
      };
    }
    // Late on the 6th in Chicago it's already the 7th elsewhere.
    harness.clock.set('2027-03-07T03:00:00Z');
    const response = await download(user.id);
    harness.clock.set(testStart);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-disposition': 'attachment; filename="daylift-data-2027-03-06.json"',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(paths).toEqual(Array(3).fill(`/internal/export/${user.id}`));
    const file = response.json<UserExport>();
    expect(file).toMatchObject({
      exported_at: '2027-03-07T03:00:00.000Z',
      billing: { invoices: [{ number: 'D-1' }] },
      schedule: { days: [] },
      texts: { texts: ['Good morning.'] },
      account: {
        name: 'Zenobia Quill',
        email: user.email,
        phone,
        timezone: 'America/Chicago',
        consents: [{ source: 'signup', wording_version: 'signup-1' }],
        email_proven_by: 'link',
        letters: [{ subject: 'Hello', messages: [{ sender: 'you', text: 'Good morning' }] }],
        mails: [
          { subject: 'Confirm your email for Daylift' },
          { subject: 'Your phone number is being changed' },
        ],
        number_changes: [{ changed_at: '2027-03-06T15:00:00.000Z' }],
      },
    });
  });

  it("omits secrets and internal fields, and nothing else in a person's row", async () => {
    const user = await aUser(harness, { delivery_frequency: 'weekly' });
    await confirmEmail(harness, user.email);
    await post('/support/contact', user.id, { subject: 'Hello', message: 'Good morning' });
    const response = await download(user.id);
    expect(response.body).not.toMatch(/argon2id|password_hash|session_version|phone_hash/);
    const internalFields =
      /\.(id|user_id|version|session_version|phone_since_version|referrals_version|subscription_version|password_hash|phone_hash|kind|referrer_user_id|search|conversation_id|words|token_hash|address_hash|key|to_address|tries|next_try_at|erase_when_done)=/;
    const normalized = (value: string) => {
      const text = value.slice(value.indexOf('=') + 1);
      const isInstant = /^\d{4}-\d\d-\d\dT/.test(text);
      const hour = value.includes('.delivery_hour=') ? `${text.padStart(2, '0')}:00` : text;
      return isInstant ? text.slice(0, 19) : hour;
    };
    const missing = (await valuesBeside(user.id))
      .filter((value) => !internalFields.test(value) && !value.endsWith('=null'))
      .filter((value) => !response.body.includes(JSON.stringify(normalized(value)).slice(1, -1)));
    expect(missing).toEqual([]);
  });

  it('has the same status as the dashboard during free access', async () => {
    const { id } = await aUser(harness);
    await setUser(harness, id, { subscription_status: 'expired', entitled: true });
    const { account } = (await download(id)).json<UserExport>();
    expect(account).toMatchObject({ subscription_status: 'active' });
  });

  it('omits mail from before the signup with that address', async () => {
    const email = 'victim@example.com';
    const message = { name: 'Vera', email, subject: 'Lost parcel', message: 'The blue house' };
    await harness.call({ method: 'POST', url: '/contact', body: message });
    await harness.deps.db.transaction().execute((trx) =>
      queueMail(
        trx,
        {
          key: 'answer:1',
          to: email,
          subject: 'Re: Lost parcel',
          text: 'It is at the blue house',
        },
        harness.clock.now(),
      ),
    );
    const { id } = await aUser(harness, { email });
    expect((await download(id)).body).not.toMatch(/blue house|parcel/);
  });

  it('includes mails and messages only once the email is confirmed', async () => {
    const user = await aUser(harness);
    await post('/support/contact', user.id, { subject: 'Hello', message: 'Good morning' });
    const before = (await download(user.id)).json<UserExport>().account;
    expect(before).toMatchObject({ letters: [], mails: [] });
    await confirmEmail(harness, user.email);
    const after = (await download(user.id)).json<UserExport>().account;
    expect(after).toMatchObject({ letters: [{ subject: 'Hello' }], mails: [{}] });
  });

  it('fails as a whole if a service is unavailable', async () => {
    const user = await aUser(harness);
    harness.parts.scheduler = async () => {
      throw new Unavailable('The scheduler service is unavailable right now. Please try again.');
    };
    const down = await download(user.id);
    expect([down.statusCode, codeOf(down)]).toEqual([503, 'UNAVAILABLE']);
    expect(down.headers['content-disposition']).toBeUndefined();
    harness.parts.scheduler = async () => null;
    const absent = await download(user.id);
    expect([absent.statusCode, absent.json<{ detail: string }>().detail]).toEqual([
      503,
      "We can't prepare all of your data right now. Please try again.",
    ]);
  });

  it('is limited to ten per hour', async () => {
    const { id } = await aUser(harness);
    const responses = await Promise.all(Array.from({ length: 12 }, () => download(id)));
    expect(responses.map((response) => response.statusCode).sort()).toEqual([
      ...Array(10).fill(200),
      429,
      429,
    ]);
    harness.clock.advance({ hours: 2 });
    expect((await download(id)).statusCode).toBe(200);
    harness.clock.set(testStart);
  });

  it('is for that subscriber only', async () => {
    const { id } = await aUser(harness);
    const url = '/users/me/export';
    expect((await harness.call({ url })).statusCode).toBe(401);
    expect((await harness.call({ url, as: asAdmin('owner') })).statusCode).toBe(403);
    expect((await harness.call({ url, as: asUser(id, 1) })).statusCode).toBe(401);
  });
});
