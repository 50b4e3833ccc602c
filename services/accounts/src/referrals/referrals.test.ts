import { randomUUID } from 'node:crypto';
import type { Me, ReferralLink } from '@daylift/contracts/accounts.http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUser, userRow } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const generate = (id: string) =>
  harness.call({ method: 'POST', url: '/users/me/generate-referral', as: asUser(id) });
const me = async (id: string) =>
  (await harness.call({ url: '/users/me', as: asUser(id) })).json<Me>();

describe('POST /users/me/generate-referral', () => {
  it('returns one code for fifty concurrent calls, and shows it in the account', async () => {
    const { id } = await aUser(harness);
    expect(await me(id)).toMatchObject({ referral_code: null, referral_url: null });
    const responses = await Promise.all(Array.from({ length: 50 }, () => generate(id)));
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([200]));
    const links = responses.map((response) => response.json<ReferralLink>());
    expect(new Set(links.map((link) => link.referral_code)).size).toBe(1);
    const [link] = links;
    // Ten of 32 letters: 50 bits.
    expect(link?.referral_code).toMatch(/^[A-HJ-NP-Z2-9]{10}$/);
    expect(link?.referral_url).toBe(`https://daylift.test/signup?ref=${link?.referral_code}`);
    expect((await generate(id)).json()).toEqual(link);
    expect(await me(id)).toMatchObject(link ?? {});
    const other = await aUser(harness);
    expect((await generate(other.id)).json()).not.toEqual(link);
  });

  it('returns a code that anyone can check, in any case', async () => {
    const { id } = await aUser(harness);
    const { referral_code } = (await generate(id)).json<ReferralLink>();
    const check = async (code: string) =>
      (await harness.call({ url: `/referrals?code=${code}` })).json<{ known: boolean }>();
    expect(await check(referral_code.toLowerCase())).toEqual({ known: true });
    expect(await check('NOSUCHCODE')).toEqual({ known: false });
  });

  it('is for that subscriber only', async () => {
    const { id } = await aUser(harness);
    const url = '/users/me/generate-referral';
    expect((await harness.call({ method: 'POST', url })).statusCode).toBe(401);
    expect((await harness.call({ method: 'POST', url, as: asAdmin() })).statusCode).toBe(403);
    expect((await harness.call({ method: 'POST', url, as: asUser(id, 1) })).statusCode).toBe(401);
  });
});

describe('a referral code at signup', () => {
  it('is case-insensitive and trimmed, and ignored if unknown', async () => {
    const referrer = await aUser(harness);
    const { referral_code } = (await generate(referrer.id)).json<ReferralLink>();
    const referrerOf = async (ref: string) =>
      (await userRow(harness, (await aUser(harness, { ref })).id)).referrer_user_id;
    expect(await referrerOf(referral_code)).toBe(referrer.id);
    expect(await referrerOf(`  ${referral_code.toLowerCase()} `)).toBe(referrer.id);
    for (const ref of ['', '  ', 'NOSUCH', "' or 1=1 --"]) expect(await referrerOf(ref)).toBeNull();
  });
});

describe('billing.referrals.changed', () => {
  it('shows the number of friends, from the newest event in any order', async () => {
    const { id } = await aUser(harness);
    const count = (version: number, successful: number, user_id = id) =>
      harness.receive('billing.referrals.changed', { user_id, version, successful });
    await count(2, 3);
    await count(1, 1);
    expect((await me(id)).referral_count).toBe(3);
    await count(3, 2);
    expect((await me(id)).referral_count).toBe(2);
    expect(await count(1, 1, randomUUID())).toBe('handled');
  });
});
