import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aUser, codeOf, setUser, userRow } from '../../test/factories.ts';
import { asAdmin, asUser, createHarness, type Harness, testStart } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const change = (id: string, body: unknown) =>
  harness.call({ method: 'PUT', url: '/users/me', as: asUser(id), body });

describe('a pause until a date, by PUT /users/me', () => {
  it('lasts until the chosen date or until it is ended', async () => {
    const { id } = await aUser(harness);
    const paused = await change(id, { paused_until: '2027-03-20' });
    expect(paused.json()).toMatchObject({ paused_until: '2027-03-20' });
    expect(await userRow(harness, id)).toMatchObject({ paused_until: '2027-03-20', version: 2 });
    const resumed = await change(id, { paused_until: null });
    expect(resumed.json()).toMatchObject({ paused_until: null });
  });

  it("starts tomorrow at the earliest and ends within a year, in the subscriber's time zone", async () => {
    // At testStart it's the 6th in Chicago; three hours before midnight there it's the 7th in Tokyo.
    harness.clock.set('2027-03-07T03:00:00Z');
    const chicago = await aUser(harness);
    const tokyo = await aUser(harness, { timezone: 'Asia/Tokyo' });
    const status = async (id: string, until: string, timezone?: string) =>
      (await change(id, { paused_until: until, ...(timezone && { timezone }) })).statusCode;
    expect(await status(chicago.id, '2027-03-07')).toBe(200);
    expect(await status(tokyo.id, '2027-03-07')).toBe(400);
    expect(await status(tokyo.id, '2027-03-08')).toBe(200);
    expect(await status(tokyo.id, '2027-03-07', 'America/Chicago')).toBe(200);
    expect(await status(chicago.id, '2028-03-06')).toBe(200);
    expect(await status(chicago.id, '2028-03-07')).toBe(400);
    harness.clock.set(testStart);
  });

  it('explains an invalid date', async () => {
    const { id } = await aUser(harness);
    const details: [unknown, string][] = [
      ['2027-03-06', 'Please choose a date from tomorrow up to a year ahead.'],
      ['2027-02-30', '"paused_until" is not a valid date (YYYY-MM-DD).'],
      ['tomorrow', '"paused_until" is not a valid date (YYYY-MM-DD).'],
      ['2027-03-20T00:00:00Z', '"paused_until" is not a valid date (YYYY-MM-DD).'],
    ];
    for (const [value, detail] of details) {
      const response = await change(id, { paused_until: value });
      expect([value, response.statusCode]).toEqual([value, 400]);
      expect(response.json()).toMatchObject({ detail });
    }
    for (const value of [7, '', [], {}, '9999-12-31', '0000-01-01'])
      expect((await change(id, { paused_until: value })).statusCode).toBe(400);
    expect((await userRow(harness, id)).version).toBe(1);
  });

  it('accepts an unchanged past pause in a form', async () => {
    const { id } = await aUser(harness);
    await setUser(harness, id, { paused_until: '2027-01-01' });
    const response = await change(id, { paused_until: '2027-01-01', delivery_time: '11:00' });
    expect(response.json()).toMatchObject({ paused_until: '2027-01-01', delivery_time: '11:00' });
  });
});

describe('POST /users/me/toggle-delivery', () => {
  const toggle = (id: string, query: string, rest: object = {}) =>
    harness.call({
      method: 'POST',
      url: `/users/me/toggle-delivery${query}`,
      as: asUser(id),
      ...rest,
    });

  it('turns texts off and on, with any form of empty body', async () => {
    const { id } = await aUser(harness);
    const off = await toggle(id, '?enable=false');
    expect([off.statusCode, off.json()]).toEqual([200, { delivery_enabled: false }]);
    expect(await userRow(harness, id)).toMatchObject({ delivery_enabled: false, version: 2 });
    const on = await toggle(id, '?enable=true', { body: {} });
    expect(on.json()).toEqual({ delivery_enabled: true });
    const json = { headers: { 'content-type': 'application/json' } };
    expect((await toggle(id, '?enable=true', json)).json()).toEqual({ delivery_enabled: true });
    expect((await userRow(harness, id)).version).toBe(3);
  });

  it('accepts only true and false', async () => {
    const { id } = await aUser(harness);
    const wrong = ['', '?enable', '?enable=', '?enable=1', '?enable=TRUE', '?enable=yes'];
    for (const query of [...wrong, '?enable=true&enable=false', '?enable=true&is_active=true'])
      expect([query, (await toggle(id, query)).statusCode]).toEqual([query, 400]);
    const withFields = await toggle(id, '?enable=false', { body: { enable: true } });
    expect(withFields.statusCode).toBe(400);
    expect((await userRow(harness, id)).version).toBe(1);
  });

  it("doesn't lift a STOP: only the phone can", async () => {
    const { id } = await aUser(harness);
    await setUser(harness, id, { opted_out: true });
    const on = await toggle(id, '?enable=true');
    expect([on.statusCode, codeOf(on)]).toEqual([409, 'OPTED_OUT']);
    expect((await toggle(id, '?enable=false')).json()).toEqual({ delivery_enabled: false });
  });

  it('is for that subscriber only', async () => {
    const { id } = await aUser(harness);
    const url = '/users/me/toggle-delivery?enable=false';
    expect((await harness.call({ method: 'POST', url })).statusCode).toBe(401);
    expect((await harness.call({ method: 'POST', url, as: asAdmin() })).statusCode).toBe(403);
    expect((await harness.call({ method: 'POST', url, as: asUser(id, 1) })).statusCode).toBe(401);
  });
});
