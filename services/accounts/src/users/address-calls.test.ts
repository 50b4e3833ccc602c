import { afterAll, beforeAll, expect, it } from 'vitest';
import { aSubscriber, provenPhone, setUser } from '../../test/factories.ts';
import { asUser, createHarness, type Harness } from '../../test/harness.ts';
import { sendCodes } from '../one-time-codes/send-codes.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

it("codes requested by strangers don't use up the limit of a number's owner", async () => {
  const holder = await aSubscriber(harness);
  await setUser(harness, holder.id, provenPhone());
  const refusals = [];
  for (let strangers = 0; strangers < 7; strangers += 1) {
    const as = asUser((await aSubscriber(harness)).id);
    const body = { phone: holder.phone, current_password: 'correct horse' };
    expect((await harness.call({ method: 'PUT', url: '/users/me', as, body })).statusCode).toBe(
      200,
    );
    const url = '/users/me/confirm-phone';
    const response = await harness.call({ method: 'POST', url, as, body: {} });
    if (response.statusCode !== 202)
      refusals.push({ status: response.statusCode, ...response.json() });
  }
  const detail = expect.stringContaining('try again tomorrow');
  expect(refusals).toEqual([
    expect.objectContaining({ status: 429, code: 'TOO_MANY_CODES', detail }),
  ]);
  const body = { email_or_phone: holder.phone, password: 'x'.repeat(8) };
  await harness.call({ method: 'POST', url: '/users/set-password', body });
  await sendCodes(harness.deps);
  const codes = await harness.deps.db
    .selectFrom('one_time_codes')
    .select(['purpose', 'channel'])
    .where('user_id', '=', holder.id)
    .execute();
  expect(codes).toEqual([{ purpose: 'recover', channel: 'text' }]);
});
