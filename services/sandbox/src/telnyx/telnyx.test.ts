import { eventually } from '@daylift/testing/eventually';
import Telnyx from 'telnyx';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  PUBLIC_URL,
  SMS_FROM,
  startTestSandbox,
  type TelnyxEvent,
  type TestSandbox,
  telnyxClient,
} from '../../test/harness.ts';
import type { Text } from './texts.ts';

let test: TestSandbox;
beforeAll(async () => {
  test = await startTestSandbox();
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.post('/sandbox/reset', {});
  test.receiver.hooks.length = 0;
  test.receiver.answer = () => 200;
});

const TO = '+12125550123';
const accepted = (to: string) => test.get<Text[]>(`/sandbox/messages?to=${encodeURIComponent(to)}`);
const send = (to: string, text = 'Good morning', dispatch = 'd-1') =>
  test.telnyx.messages.send({
    to,
    from: SMS_FROM,
    text,
    webhook_url: `${test.receiver.url}/api/webhooks/telnyx/${dispatch}`,
  });
async function refused(to: string): Promise<InstanceType<typeof Telnyx.APIError>> {
  const error = await send(to).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Telnyx.APIError);
  return error as InstanceType<typeof Telnyx.APIError>;
}
const codeOf = (error: InstanceType<typeof Telnyx.APIError>) =>
  (error.error as { errors: { code: string }[] }).errors[0]?.code;

describe('sending', () => {
  it('accepts a text, lists it in the log with its dispatch, and returns it by id', async () => {
    const { data } = await send(TO, 'Good morning', 'd-77');
    expect(data?.to?.[0]).toMatchObject({ phone_number: TO, status: 'queued' });
    expect(data?.from?.phone_number).toBe(SMS_FROM);
    expect(data).toMatchObject({ encoding: 'GSM-7', parts: 1, cost: null, errors: [] });
    expect(data).not.toHaveProperty('status');
    const log = await accepted(TO);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({
      id: data?.id,
      to: TO,
      from: SMS_FROM,
      text: 'Good morning',
      dispatch: 'd-77',
      parts: 1,
      encoding: 'GSM-7',
    });
    expect(Date.parse(log[0]!.accepted_at)).not.toBeNaN();
    const found = await test.telnyx.messages.retrieve(data!.id!);
    expect(found.data).toMatchObject({ id: data?.id, text: 'Good morning' });
  });

  it("delivers receipts for the product's public URL to its internal address", async () => {
    const webhook_url = `${PUBLIC_URL}/api/webhooks/telnyx/d-9`;
    await test.telnyx.messages.send({ to: TO, from: SMS_FROM, text: 'Good morning', webhook_url });
    expect((await test.hook('message.finalized')).path).toBe('/api/webhooks/telnyx/d-9');
  });

  it("sends both receipts to the text's own URL, with signatures that the SDK accepts", async () => {
    const { data } = await send(TO, 'é'.repeat(161), 'd-5');
    await test.hook('message.sent');
    const hook = await test.hook(
      'message.finalized',
      (event) => event.data.payload.id === data?.id,
    );
    expect(hook.path).toBe('/api/webhooks/telnyx/d-5');
    const headers = hook.headers as Record<string, string>;
    const event = (await test.telnyx.webhooks.unwrap(hook.rawBody, {
      headers,
    })) as unknown as TelnyxEvent;
    expect(event.data.payload.to[0]?.status).toBe('delivered');
    expect(event.data.payload.cost).toEqual({ amount: '0.0140', currency: 'USD' });
    expect(event.meta).toEqual({ attempt: 1, delivered_to: `${test.receiver.url}${hook.path}` });
    await expect(test.telnyx.webhooks.unwrap(`${hook.rawBody} `, { headers })).rejects.toThrow();
    expect((await accepted(TO))[0]).toMatchObject({ status: 'delivered', cost: '0.0140' });
  });

  it('retries a receipt without a 2xx response, for three attempts in total', async () => {
    test.receiver.answer = () => 500;
    await send(TO);
    await eventually(() => test.receiver.hooks.length >= 4, { what: 'the second attempts' });
    test.receiver.answer = () => 204;
    const third = await test.hook('message.finalized', (event) => event.meta.attempt === 3);
    expect(third.headers['telnyx-signature-ed25519']).toBeDefined();
    await eventually(() => test.sandbox.deps.webhooks.all().every((one) => one.pending() === 0));
    expect(test.receiver.hooks).toHaveLength(6);
  });

  it('rejects a wrong key, an unknown field, an unknown sender and a text that is too long', async () => {
    const stranger = telnyxClient(test.sandbox.address, { apiKey: 'KEYSANDBOXwrong' });
    await expect(stranger.messages.send({ to: TO, from: SMS_FROM, text: 'x' })).rejects.toThrow(
      Telnyx.AuthenticationError,
    );
    const unknown = { to: TO, from: SMS_FROM, text: 'x', client_ref: '1' };
    await expect(test.telnyx.messages.send(unknown)).rejects.toThrow(
      Telnyx.UnprocessableEntityError,
    );
    const foreign = { to: TO, from: '+19995550000', text: 'x' };
    await expect(test.telnyx.messages.send(foreign)).rejects.toThrow(/40305/);
    await expect(send(TO, 'x'.repeat(1531))).rejects.toThrow(/40302/);
    await expect(send(TO, '')).rejects.toThrow(/40316/);
    expect(codeOf(await refused('2125550123'))).toBe('10016');
    expect(codeOf(await refused('+0125'))).toBe('40310');
    expect(await accepted(TO)).toEqual([]);
  });

  it.each([
    ['40310', Telnyx.BadRequestError],
    ['40300', Telnyx.ConflictError],
    ['10011', Telnyx.RateLimitError],
    ['40333', Telnyx.RateLimitError],
    ['10010', Telnyx.PermissionDeniedError],
    ['10007', Telnyx.InternalServerError],
    ['20100', Telnyx.APIError],
  ])('a number that ends in 20 and %s is rejected with that code', async (code, errorClass) => {
    const error = await refused(`+12122 0${code}`.replace(' ', ''));
    expect(error).toBeInstanceOf(errorClass);
    expect(codeOf(error)).toBe(code);
  });

  it.each([
    ['3040008', 'delivery_failed', '40008'],
    ['3040014', 'expired', '40014'],
    ['3000001', 'delivery_unconfirmed', undefined],
    ['3000002', 'sending_failed', '40008'],
  ])('a number that ends in %s is accepted and ends as %s', async (digits, status, code) => {
    await send(`+1212${digits}`);
    const hook = await test.hook('message.finalized');
    const { payload } = (JSON.parse(hook.rawBody) as TelnyxEvent).data;
    expect(payload.to[0]?.status).toBe(status);
    expect(payload.errors[0]?.code).toBe(code);
  });

  it('finds sent texts by recipient and time', async () => {
    for (const text of ['one', 'two', 'three']) await send(TO, text);
    await send('+12125550199');
    await eventually(async () => (await accepted(TO)).every((text) => text.status === 'delivered'));
    const since = (await accepted(TO))[1]!.accepted_at;
    const uuids: (string | undefined)[] = [];
    const list = test.telnyx.detailRecords.list({
      filter: { record_type: 'messaging', cld: TO, created_at: { gte: since } },
    });
    for await (const record of list) uuids.push((record as { uuid?: string }).uuid);
    expect(uuids).toEqual(
      (await accepted(TO))
        .slice(1)
        .map((text) => text.id)
        .reverse(),
    );
    await expect(
      test.telnyx.detailRecords.list({ filter: { record_type: 'messaging', nonsense: '1' } }),
    ).rejects.toThrow(Telnyx.BadRequestError);
  });
});

describe('faults', () => {
  it('drops the connection after accepting a text, which is in the log', async () => {
    await test.post('/sandbox/faults', { accept_then_drop: { telnyx: 1 } });
    await expect(send(TO)).rejects.toThrow(Telnyx.APIConnectionError);
    expect(await accepted(TO)).toHaveLength(1);
  });

  it('returns 5xx after accepting, or without accepting', async () => {
    await test.post('/sandbox/faults', { accept_then_error: { telnyx: 1 } });
    await expect(send(TO)).rejects.toThrow(Telnyx.InternalServerError);
    expect(await accepted(TO)).toHaveLength(1);
    await test.post('/sandbox/faults', { reset: true, telnyx_down: true });
    await expect(send(TO)).rejects.toThrow(Telnyx.InternalServerError);
    expect(await accepted(TO)).toHaveLength(1);
  });

  it('rejects a recipient the given number of times, then accepts', async () => {
    const fault = { code: '10011', retry_after: 7, times: 2 };
    await test.post('/sandbox/faults', { recipients: { [TO]: fault } });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const error = await refused(TO);
      expect(error.status).toBe(429);
      expect((error.headers as Headers).get('retry-after')).toBe('7');
    }
    await send(TO);
    expect(await accepted(TO)).toHaveLength(1);
  });

  it('rejects calls above the rate limit with 429 and the limit', async () => {
    await test.post('/sandbox/faults', { telnyx: { rate_limit_per_second: 2 } });
    const responses = await Promise.allSettled([send(TO), send(TO), send(TO), send(TO)]);
    const reasons = responses
      .filter((response) => response.status === 'rejected')
      .map((one) => one.reason);
    expect(reasons.length).toBe(2);
    expect(codeOf(reasons[0])).toBe('10011');
    expect(reasons[0].headers.get('x-ratelimit-limit')).toBe('2');
    expect(await accepted(TO)).toHaveLength(2);
  });

  it('accepts texts above the sending rate, and returns how long they wait', async () => {
    await test.post('/sandbox/faults', { telnyx: { sends_per_second: 1 } });
    await send(TO);
    const { data } = await send(TO);
    expect(Number(data?.wait_seconds)).toBeGreaterThan(0.5);
    expect(data?.to?.[0]?.status).toBe('queued');
  });

  it('ignores an Idempotency-Key as Telnyx does, and honors it if the dial is set', async () => {
    const body = { to: TO, from: SMS_FROM, text: 'once' };
    const options = { headers: { 'Idempotency-Key': 'd-1' } };
    await test.telnyx.messages.send(body, options);
    await test.telnyx.messages.send(body, options);
    expect(await accepted(TO)).toHaveLength(2);
    await test.post('/sandbox/faults', { telnyx: { honour_idempotency_key: true } });
    await test.telnyx.messages.send(body, { headers: { 'Idempotency-Key': 'd-2' } });
    await test.telnyx.messages.send(body, { headers: { 'Idempotency-Key': 'd-2' } });
    expect(await accepted(TO)).toHaveLength(3);
  });

  it('duplicates and reorders webhooks, and signs them wrongly', async () => {
    await test.post('/sandbox/faults', { webhook: { duplicate: 1, duplicate_copies: 4 } });
    await send(TO);
    await eventually(() => test.receiver.hooks.length === 10, { what: 'five of each receipt' });
    const ids = test.receiver.hooks.map(
      ({ rawBody }) => (JSON.parse(rawBody) as TelnyxEvent).data.id,
    );
    expect(new Set(ids).size).toBe(2);

    test.receiver.hooks.length = 0;
    await test.post('/sandbox/faults', { reset: true, webhook: { reorder: 1 } });
    await send(TO);
    await eventually(() => test.receiver.hooks.length === 2, { what: 'both receipts' });
    const types = test.receiver.hooks.map(
      ({ rawBody }) => (JSON.parse(rawBody) as TelnyxEvent).data.event_type,
    );
    expect(types).toEqual(['message.finalized', 'message.sent']);

    test.receiver.hooks.length = 0;
    await test.post('/sandbox/faults', { reset: true, webhook: { wrong_signature: 1 } });
    await send(TO);
    const forged = await test.hook('message.sent');
    const headers = forged.headers as Record<string, string>;
    await expect(test.telnyx.webhooks.unwrap(forged.rawBody, { headers })).rejects.toThrow();
  });

  it('sends the receipts before the response if the dial is set', async () => {
    await test.post('/sandbox/faults', { telnyx: { webhook_before_answer: true } });
    await send(TO);
    expect(test.receiver.hooks).toHaveLength(2);
  });

  it('explains an invalid dial, and changes nothing', async () => {
    const wrong = await test.post<{ detail: string; code: string; request_id: string }>(
      '/sandbox/faults',
      { webhook: { duplicated: 1 } },
    );
    expect(wrong.status).toBe(400);
    expect(wrong.body.detail).toMatch(/webhook.*duplicated/);
    expect(wrong.body.request_id).toBeTruthy();
    const tooMuch = await test.post<{ detail: string }>('/sandbox/faults', { telnyx_down: 'yes' });
    expect(tooMuch.status).toBe(400);
  });
});
