import type { LoginResponse, SignupResponse } from '@daylift/contracts/accounts.http';
import { createDecoder } from 'fast-jwt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countWork } from '../../test/count-work.ts';
import { anAdmin, aSignup, aSubscriber, aUser, setUser } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { sendCodes } from '../one-time-codes/send-codes.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const post = (url: string, body: object, ip = '203.0.113.1') =>
  harness.call({ method: 'POST', url, body, headers: { 'x-client-ip': ip } });
const logIn = (login: string, password: string, ip?: string) =>
  post('/users/login', { login, password }, ip);
const statusOf = async (...tried: Parameters<typeof logIn>) => (await logIn(...tried)).statusCode;
const signUp = async (email: string, password: string, ip: string) => {
  harness.clock.advance({ seconds: 1 });
  const form = aSignup({ email, password, confirmPassword: password });
  const response = await post('/subscriptions', form, ip);
  expect(response.statusCode).toBe(201);
  return response.json<SignupResponse>();
};
let people = 0;
/** Creates accounts that claim the same email. */
async function claimedBy(accounts: number): Promise<string> {
  people += 1;
  const email = `claimed${people}@example.com`;
  for (let index = 0; index < accounts; index += 1) await aUser(harness, { email });
  return email;
}

describe('The work of a failing call', () => {
  it('is the same for a sign-in with no account, one, or many', async () => {
    const works = [];
    for (const accounts of [0, 1, 2, 3, 6]) {
      const email = await claimedBy(accounts);
      works.push(await countWork(harness, () => logIn(email, 'wrong horse')));
    }
    const [baseline, ...others] = works;
    expect(baseline).toMatchObject({ hashes: 3 });
    for (const work of others) expect(work).toEqual(baseline);
  });

  it('is the same for a sign-in with the right password of any account', async () => {
    const soleClaim = await claimedBy(1);
    const first = await countWork(harness, () => logIn(soleClaim, 'correct horse'));
    const shared = await claimedBy(2);
    const own = 'a claim of mine';
    await signUp(shared, own, '198.51.100.1');
    const last = await countWork(harness, () => logIn(shared, own));
    expect([first.hashes, first.statements.length]).toEqual([last.hashes, last.statements.length]);
  });

  it('is the same for existing and unknown admins', async () => {
    const { username } = await anAdmin(harness, { username: 'olive', password: 'a sunny day' });
    const owner = { username: 'owner', password: 'x', email: 'owner@example.com' };
    await anAdmin(harness, owner);
    for (let tried = 1; tried <= 5; tried += 1) {
      const works = [];
      for (const name of [username, 'no-one'])
        works.push(
          await countWork(harness, () =>
            post('/admin/login', { username: name, password: 'wrong' }),
          ),
        );
      expect(works[0]).toEqual(works[1]);
    }
    expect(await harness.mails(owner.email)).toHaveLength(1);
  });

  it('is the same for requested and wrong codes, with and without an account', async () => {
    const user = await aSubscriber(harness);
    const proven = { email_proven_at: new Date(), email_proof: 'link' as const };
    await setUser(harness, user.id, proven);
    const emails = [user.email, await claimedBy(0), await claimedBy(3)];
    const requests = [];
    for (const email_or_phone of emails) {
      const body = { email_or_phone, password: 'a new password' };
      requests.push(await countWork(harness, () => post('/users/set-password', body)));
    }
    await sendCodes(harness.deps);
    const wrong = [];
    for (const email_or_phone of emails) {
      const body = { email_or_phone, password: 'a new password', code: '000000' };
      wrong.push(await countWork(harness, () => post('/users/set-password', body)));
    }
    for (const works of [requests, wrong])
      expect(
        works.map(({ statements, written, hashes }) => [statements.length, written, hashes]),
      ).toEqual(works.map(() => [works[0]?.statements.length, 1, 0]));
  });
});

describe('An unpaid signup whose email strangers also claim', () => {
  const home = '203.0.113.40';

  it('can sign in from its own network, however many sign up elsewhere', async () => {
    const email = await claimedBy(0);
    const strangers = async (from: number) => {
      for (let index = from; index < from + 6; index += 1)
        await signUp(email, `stranger ${index}`, `198.51.100.${index}`);
    };
    await strangers(0);
    const { id } = await signUp(email, 'an honest one', home);
    await strangers(6);
    const response = await logIn(email, 'an honest one', home);
    expect(response.statusCode).toBe(200);
    const { access_token } = response.json<LoginResponse>();
    expect(createDecoder()(access_token)).toMatchObject({ sub: id });
  });

  it('can sign in from its own network while strangers guessing elsewhere reach only their own accounts', async () => {
    const email = await claimedBy(0);
    await signUp(email, 'an honest one', home);
    const otherAddress = '198.51.100.50';
    await signUp(email, 'a stranger', otherAddress);
    for (let network = 60; network < 68; network += 1)
      for (let tried = 0; tried < 4; tried += 1)
        await logIn(email, 'wrong', `198.51.100.${network}`);
    expect(await statusOf(email, 'an honest one', '203.0.113.41')).toBe(429);
    expect(await statusOf(email, 'an honest one', otherAddress)).toBe(401);
    expect(await statusOf(email, 'a stranger', otherAddress)).toBe(200);
    expect(await statusOf(email, 'an honest one', home)).toBe(200);
  });

  it('can sign in from anywhere once it is paid', async () => {
    const email = await claimedBy(0);
    const { id } = await signUp(email, 'an honest one', home);
    await setUser(harness, id, { subscription_version: 1, subscription_status: 'trial' });
    for (let index = 0; index < 6; index += 1)
      await signUp(email, `stranger ${index}`, `198.51.100.${index}`);
    expect(await statusOf(email, 'an honest one', '203.0.113.41')).toBe(200);
  });
});
