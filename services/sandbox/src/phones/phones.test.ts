import Telnyx from 'telnyx';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  SMS_FROM,
  startTestSandbox,
  type TelnyxEvent,
  type TestSandbox,
} from '../../test/harness.ts';
import type { Bubble, Received } from './phones.ts';

let test: TestSandbox;
beforeAll(async () => {
  test = await startTestSandbox();
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.post('/sandbox/reset', {});
  test.receiver.hooks.length = 0;
});

const PHONE = '+12125550123';
const say = async (text: string) =>
  (await test.post<Received>('/sandbox/inbound', { from: PHONE, text })).body;
const send = () => test.telnyx.messages.send({ to: PHONE, from: SMS_FROM, text: 'Good morning' });
const conversation = () => test.get<Bubble[]>(`/sandbox/phones/${encodeURIComponent(PHONE)}`);

it('delivers a reply to the profile’s webhook, signed', async () => {
  await say('7AM');
  const hook = await test.hook('message.received');
  expect(hook.path).toBe('/api/webhooks/telnyx/inbound');
  const headers = hook.headers as Record<string, string>;
  const event = await test.telnyx.webhooks.unwrap(hook.rawBody, { headers });
  expect(event).toMatchObject({
    data: {
      payload: {
        direction: 'inbound',
        text: '7AM',
        autoresponse_type: null,
        from: { phone_number: PHONE },
        to: [{ phone_number: SMS_FROM }],
      },
    },
  });
});

it.each(['STOP', ' stop ', 'Stop All', 'StopAll', 'unsubscribe', 'CANCEL', 'end', 'Quit'])(
  'blocks the phone after %j, confirms once, and lifts the block after START',
  async (word) => {
    expect(await say(word)).toMatchObject({ autoresponse_type: 'STOP' });
    await say('STOP');
    await expect(send()).rejects.toThrow(Telnyx.ConflictError);
    const replies = (await conversation()).filter(({ kind }) => kind === 'auto_reply');
    expect(replies).toHaveLength(1);
    expect(await test.get('/sandbox/phones')).toMatchObject([{ number: PHONE, blocked: true }]);
    expect(await say('start')).toMatchObject({ autoresponse_type: 'START' });
    await send();
    expect(await test.get('/sandbox/phones')).toMatchObject([{ number: PHONE, blocked: false }]);
    expect(await test.get('/sandbox/messages?to=%2B12125550123')).toHaveLength(1);
  },
);

it('neither blocks nor unblocks after HELP or a keyword among other words', async () => {
  expect(await say('HELP')).toEqual({
    id: expect.any(String),
    autoresponse_type: 'HELP',
    auto_reply: null,
  });
  for (const text of ["don't stop", 'please stop', 'YES', 'OPTOUT']) {
    expect(await say(text)).toMatchObject({ autoresponse_type: null });
  }
  await send();
  const hooks = test.receiver.hooks.map(({ rawBody }) => JSON.parse(rawBody) as TelnyxEvent);
  expect(hooks.find(({ data }) => data.payload.text === 'HELP')?.data.payload).toMatchObject({
    autoresponse_type: 'HELP',
  });
});

it('returns 400 and what to do for an invalid number or a missing text', async () => {
  const wrong = await test.post('/sandbox/inbound', { from: '555', text: 'hi' });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'NOT_A_PHONE_NUMBER' } });
  const empty = await test.post<{ detail: string }>('/sandbox/inbound', { from: PHONE });
  expect(empty).toMatchObject({ status: 400, body: { detail: 'Please fill in "text".' } });
});
