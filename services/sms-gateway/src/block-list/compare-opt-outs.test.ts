import { randomUUID } from 'node:crypto';
import { hourMs, minuteMs } from '@daylift/clock/durations';
import type { ProviderInfo } from '@daylift/contracts/sms-operations.http';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aDispatch,
  aNumber,
  aSubscriber,
  asAdmin,
  asService,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { telnyxKey } from '../../test/sandbox.ts';
import { sendAlerts } from '../alerts/send-alerts.ts';
import { createTelnyxWhenNeeded } from '../provider/telnyx-when-needed.ts';
import { compareOptOuts } from './compare-opt-outs.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
afterEach(() => harness.sandbox.faults({ reset: true }));

type Person = Awaited<ReturnType<typeof aSubscriber>>;

/** Sends a reply and loses the provider's webhook. */
async function replyWithoutWebhook(phone: string, text: string) {
  await harness.sandbox.faults({ webhook: { drop: 1 } });
  await harness.sandbox.reply(phone, text);
  await harness.sandbox.faults({ webhook: { drop: 0 } });
}
async function replyAndWait(phone: string, text: string) {
  await harness.sandbox.reply(phone, text);
  await eventually(async () => {
    const rows = await harness.db
      .selectFrom('inbound_texts')
      .select('content')
      .where('from_number', '=', phone)
      .execute();
    return rows.some(({ content }) => content === text);
  });
}
async function compare(): Promise<number> {
  let pages = 0;
  for (;;) {
    const read = await compareOptOuts(harness.deps);
    if (read === 0) return pages;
    pages += read;
  }
}
const found = async () =>
  (await harness.call({ url: '/admin/sms-system/provider', as: asAdmin() })).json<ProviderInfo>()
    .block_list;
const lastOptOut = async ({ user_id }: Person) =>
  (await harness.call({ url: `/internal/opt-out/${user_id}`, as: asService })).json().last;
const nextDay = () => harness.moveTo(new Date(harness.clock.now().getTime() + 25 * hourMs));
beforeEach(nextDay);

describe('the daily comparison with the block list', () => {
  it('opts out numbers that the provider blocks, with the block as proof, and sends nothing', async () => {
    const person = await aSubscriber(harness);
    await replyWithoutWebhook(person.phone, 'STOP');
    await compare();
    expect(await lastOptOut(person)).toMatchObject({ opted_out: true, source: 'block_list' });
    expect(await found()).toMatchObject({ added: 1 });
    const events = await harness.published<{ user_id: string }>('sms.recipient.opted_out');
    expect(events.filter(({ user_id }) => user_id === person.user_id)).toMatchObject([
      { source: 'keyword' },
    ]);
    const now = harness.clock.now().toISOString();
    const dispatch = aDispatch(person, harness, { local_date: now.slice(0, 10) });
    await release(harness, [dispatch]);
    await harness.send(dispatch.dispatch_id);
    expect(await harness.text(dispatch.dispatch_id)).toMatchObject({ reason: 'opted_out' });
    expect(await harness.sandbox.texts(person.phone)).toEqual([]);
  });

  it('publishes the STOP of a new number as later than the change to it', async () => {
    const person = await aSubscriber(harness);
    await replyAndWait(person.phone, 'STOP');
    const phone = aNumber();
    await replyWithoutWebhook(phone, 'STOP');
    await harness.receive('accounts.recipient.changed', { ...person, version: 2, phone });
    await harness.moveTo(new Date(harness.clock.now().getTime() + minuteMs));
    await compare();
    const datesOf = async (type: string) =>
      (await harness.published<{ user_id: string; at: string }>(type))
        .filter(({ user_id }) => user_id === person.user_id)
        .map(({ at }) => Date.parse(at));
    const [changed] = await datesOf('sms.recipient.number_changed');
    const [, stopped] = await datesOf('sms.recipient.opted_out');
    expect(stopped).toBeGreaterThan(changed!);
  });

  it('publishes the STOP behind an earlier rejection, once', async () => {
    const person = await aSubscriber(harness);
    await replyWithoutWebhook(person.phone, 'STOP');
    const local_date = harness.clock.now().toISOString().slice(0, 10);
    const dispatch = aDispatch(person, harness, { local_date });
    await release(harness, [dispatch]);
    await harness.send(dispatch.dispatch_id);
    await nextDay();
    await compare();
    await nextDay();
    await compare();
    const events = await harness.published<{ user_id: string; source: string }>(
      'sms.recipient.opted_out',
    );
    const sources = events.filter(({ user_id }) => user_id === person.user_id);
    expect(sources.map(({ source }) => source)).toEqual(['provider', 'keyword']);
  });

  it('never opts anyone in: a number unblocked there only is counted, and operators are alerted', async () => {
    const person = await aSubscriber(harness);
    await replyAndWait(person.phone, 'STOP');
    await compare();
    expect(await found()).toMatchObject({ added: 0, lifted: 0 });
    await replyWithoutWebhook(person.phone, 'START');
    await nextDay();
    await compare();
    expect(await lastOptOut(person)).toMatchObject({ opted_out: true });
    expect(await found()).toMatchObject({ lifted: 1 });
    const to = 'alerts@daylift.example';
    await harness.db.updateTable('alert_settings').set({ enabled: true, email: to }).execute();
    await sendAlerts(harness.deps);
    await sendAlerts(harness.deps);
    const mails = await harness.db
      .selectFrom('mails')
      .select(['subject', 'text'])
      .where('subject', 'like', '%block list')
      .execute();
    expect(mails).toMatchObject([
      { text: expect.stringContaining('that the provider no longer blocks: 1.') },
    ]);
    await nextDay();
    await compare();
    expect(await found()).toMatchObject({ lifted: 0 });
    await replyAndWait(person.phone, 'START ');
  });

  it("counts opt-outs by words that the provider doesn't know", async () => {
    await compare();
    const before = (await found())?.only_here ?? 0;
    const person = await aSubscriber(harness);
    await replyAndWait(person.phone, 'please stop texting me');
    await nextDay();
    await compare();
    expect(await found()).toMatchObject({ only_here: before + 1 });
    expect(await lastOptOut(person)).toMatchObject({ opted_out: true, source: 'phrase' });
  });

  it('applies a START that arrived while the list was read', async () => {
    const person = await aSubscriber(harness);
    await replyAndWait(person.phone, 'STOP');
    await nextDay();
    const { provider } = harness.deps;
    const pages = compareOptOuts({
      ...harness.deps,
      provider: {
        ...provider,
        async listBlocked(page) {
          const list = await provider.listBlocked(page);
          await replyAndWait(person.phone, 'START');
          return list;
        },
      },
    });
    expect(await pages).toBe(1);
    expect(await lastOptOut(person)).toMatchObject({ opted_out: false });
  });

  it('reads page by page, resumes 15 minutes after an outage, and runs once a day on any number of replicas', async () => {
    const numbers = Array.from({ length: 260 }, aNumber);
    for (const number of numbers) await replyWithoutWebhook(number, 'STOP');
    expect(await compareOptOuts(harness.deps)).toBe(1);
    await harness.sandbox.faults({ telnyx_down: true });
    expect(await compareOptOuts(harness.deps)).toBe(0);
    await harness.sandbox.faults({ telnyx_down: false });
    expect(await compareOptOuts(harness.deps)).toBe(0);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 15 * minuteMs));
    const replicas = Array.from({ length: 3 }, () => compareOptOuts(harness.deps));
    await Promise.all(replicas);
    expect(await compare()).toBe(0);
    expect(await found()).toMatchObject({ added: 260 });
    await nextDay();
    expect(await compare()).toBe(2);
    expect(await found()).toMatchObject({ added: 0 });
  });

  it("leaves out the blocks of the account's other profiles", async () => {
    const person = await aSubscriber(harness);
    await replyWithoutWebhook(person.phone, 'STOP');
    const provider = createTelnyxWhenNeeded({
      ...{
        apiKey: telnyxKey,
        baseUrl: `${harness.sandbox.url}/v2`,
        receiptsUrl: harness.publicUrl,
      },
      ...{ timeoutMs: 5_000, messagingProfileId: randomUUID() },
    });
    await compareOptOuts({ ...harness.deps, provider });
    expect(await found()).toMatchObject({ blocked: 0, added: 0 });
    const events = await harness.published<{ user_id: string }>('sms.recipient.opted_out');
    expect(events.map(({ user_id }) => user_id)).not.toContain(person.user_id);
  });

  it("doesn't treat a block without a keyword as a reply", async () => {
    const person = await aSubscriber(harness);
    const blocked = [{ phone: person.phone, by_keyword: false }];
    const provider = {
      ...harness.deps.provider,
      listBlocked: async () => ({ blocked, isLast: true }),
    };
    await compareOptOuts({ ...harness.deps, provider });
    const events = await harness.published<{ user_id: string }>('sms.recipient.opted_out');
    expect(events.filter(({ user_id }) => user_id === person.user_id)).toMatchObject([
      { source: 'provider' },
    ]);
  });
});
