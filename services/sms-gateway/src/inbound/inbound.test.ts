import { minuteMs } from '@daylift/clock/durations';
import { eventually } from '@daylift/testing/eventually';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aDispatch,
  aNumber,
  aQueuedText,
  aSubscriber,
  entitlement,
  recipientFacts,
  release,
} from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { signed } from '../../test/sandbox.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ ratePerSecond: 60 });
});
afterAll(() => harness.close());
afterEach(() => harness.sandbox.faults({ reset: true }));

const eventsOf = async (type: string, userId: string) =>
  (await harness.published<{ user_id: string }>(type)).filter(({ user_id }) => user_id === userId);
const storedTexts = (from: string) =>
  harness.db.selectFrom('inbound_texts').selectAll().where('from_number', '=', from).execute();
async function reply(from: string, text: string): Promise<void> {
  const before = (await storedTexts(from)).length;
  await harness.sandbox.reply(from, text);
  await eventually(async () => (await storedTexts(from)).length > before, { what: 'the reply' });
}
/** Delivers the provider's webhook, `afterMs` after the start. */
async function receive(phone: string, word: string, afterMs: number): Promise<void> {
  const at = new Date(harness.clock.now().getTime() + afterMs).toISOString();
  const id = crypto.randomUUID();
  const autoresponse_type = ['START', 'STOP'].includes(word) ? word : null;
  const payload = { id, from: { phone_number: phone }, text: word, autoresponse_type };
  const body = JSON.stringify({
    data: {
      id,
      event_type: 'message.received',
      occurred_at: at,
      payload: { ...payload, received_at: at },
    },
  });
  const url = '/webhooks/telnyx/inbound';
  const response = await harness.call({ method: 'POST', url, body, headers: signed(body) });
  expect(response.statusCode).toBe(200);
}
const optOutOf = (phone: string) =>
  harness.db
    .selectFrom('opt_outs')
    .selectAll()
    .where('number_hash', '=', harness.deps.numberHash(phone))
    .executeTakeFirstOrThrow();
const ourWords = async (to: string) => (await harness.sandbox.texts(to)).map(({ text }) => text);

describe('STOP', () => {
  it('is published every time, and only the provider confirms it', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, 'STOP');
    await reply(phone, 'stop');
    await harness.sendAllDue();
    expect(await eventsOf('sms.recipient.opted_out', user_id)).toMatchObject([
      { source: 'keyword' },
      { source: 'keyword' },
    ]);
    expect(await ourWords(phone)).toEqual([]);
  });

  it.each([
    ['STOPP', false],
    ['STOP\nSent from my iPhone', false],
    ['STOP 888', true],
  ])('as %j stops, and we confirm it once', async (text, needs_review) => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, text);
    await reply(phone, text);
    await harness.sendAllDue();
    expect((await storedTexts(phone))[0]).toMatchObject({ meaning: 'stop', needs_review });
    expect(await eventsOf('sms.recipient.opted_out', user_id)).not.toEqual([]);
    expect(await ourWords(phone)).toEqual([
      'Daylift: You are unsubscribed and will get no more texts. Reply START to resubscribe.',
    ]);
  });

  it('and START within milliseconds leave every number in the last state', async () => {
    const subscribers = await Promise.all(Array.from({ length: 16 }, () => aSubscriber(harness)));
    await Promise.all(
      subscribers.flatMap(({ phone }, index) => {
        const [first, last] = index % 2 === 0 ? ['STOP', 'START'] : ['START', 'STOP'];
        // Half of the time, the second of each pair arrives first.
        const pair = [receive(phone, first!, 0), receive(phone, last!, 2)];
        return index % 4 < 2 ? pair : pair.reverse();
      }),
    );
    for (const [index, { phone, user_id }] of subscribers.entries()) {
      const stopped = index % 2 === 1;
      const word = stopped ? 'opted_out' : 'opted_in';
      expect((await optOutOf(phone)).opted_out).toBe(stopped);
      const events = await Promise.all([
        eventsOf('sms.recipient.opted_out', user_id),
        eventsOf('sms.recipient.opted_in', user_id),
      ]);
      const latest = (events.flat() as unknown as { at: string }[])
        .map(({ at }) => at)
        .sort()
        .at(-1);
      expect(await eventsOf(`sms.recipient.${word}`, user_id)).toContainEqual(
        expect.objectContaining({ at: latest }),
      );
    }
  });

  it('as a sentence also stops, and is flagged for review', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, 'please stop texting me');
    expect(await eventsOf('sms.recipient.opted_out', user_id)).toMatchObject([
      { source: 'phrase' },
    ]);
    expect(await storedTexts(phone)).toMatchObject([{ meaning: 'stop', needs_review: true }]);
  });

  it('as a sentence is confirmed even past the limit of replies, once an hour', async () => {
    const { phone } = await aSubscriber(harness);
    for (let time = 0; time < 8; time += 1) await reply(phone, 'HELP');
    await harness.sendAllDue();
    for (const words of ['please stop texting me', 'START', 'please stop texting me']) {
      await reply(phone, words);
      await harness.sendAllDue();
    }
    const texts = await ourWords(phone);
    expect(texts).toHaveLength(8);
    expect(texts).toContainEqual(expect.stringContaining('will get no more texts'));
  });

  it('is lifted only by START, not by YES or a new signup with the number', async () => {
    const first = await aSubscriber(harness);
    await reply(first.phone, 'STOP');
    await reply(first.phone, 'YES');
    await harness.receive('accounts.user.deleted', { user_id: first.user_id });
    const second = await aQueuedText(harness, { recipient: { phone: first.phone } });
    expect(await harness.send(second.id)).toBe('ended');
    await reply(first.phone, 'START');
    expect(await eventsOf('sms.recipient.opted_in', second.recipient.user_id)).toHaveLength(1);
    const tomorrow = aDispatch(second.recipient, harness, { local_date: '2027-03-10' });
    await release(harness, [tomorrow]);
    expect(await harness.send(tomorrow.dispatch_id)).toBe('accepted');
  });

  it('belongs to the number: a new number has its own state', async () => {
    const facts = await aSubscriber(harness);
    await reply(facts.phone, 'STOP');
    const changes = () =>
      eventsOf('sms.recipient.number_changed', facts.user_id) as Promise<unknown[]>;
    const free = { ...facts, version: 2, phone: aNumber(), consent: 'pending' as const };
    await harness.receive('accounts.recipient.changed', free);
    expect(await changes()).toMatchObject([{ opted_out: false }]);
    await harness.receive('accounts.recipient.changed', { ...free, version: 3, delivery_hour: 9 });
    expect(await changes()).toHaveLength(1);
    await harness.receive('accounts.recipient.changed', { ...facts, version: 4 });
    expect(await changes()).toMatchObject([{ opted_out: false }, { opted_out: true }]);
  });

  it('ends for an account that loses the number to its holder, whatever number it gets later', async () => {
    const facts = await aSubscriber(harness, { phone_proven: false });
    await reply(facts.phone, 'STOP');
    const lost = { ...facts, version: 2, phone: null, consent: 'pending' as const };
    await harness.receive('accounts.recipient.changed', lost);
    expect(await eventsOf('sms.recipient.number_changed', facts.user_id)).toMatchObject([
      { opted_out: false },
    ]);
    const later = { ...facts, version: 3, phone: aNumber(), phone_proven: true };
    await harness.receive('accounts.recipient.changed', later);
    expect(await eventsOf('sms.recipient.number_changed', facts.user_id)).toHaveLength(1);
  });

  it('is published for a new signup with the number', async () => {
    const first = await aSubscriber(harness);
    await reply(first.phone, 'STOP');
    await harness.receive('accounts.user.deleted', { user_id: first.user_id });
    const second = await aSubscriber(harness, { phone: first.phone });
    expect(await eventsOf('sms.recipient.number_changed', second.user_id)).toMatchObject([
      { opted_out: true },
    ]);
  });

  it("isn't lifted by an older START that arrives later", async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, 'STOP');
    const body = JSON.stringify({
      data: {
        event_type: 'message.received',
        id: crypto.randomUUID(),
        occurred_at: '2027-03-09T14:00:00.000+00:00',
        payload: {
          id: crypto.randomUUID(),
          from: { phone_number: phone },
          text: 'START',
          autoresponse_type: 'START',
          received_at: '2027-03-09T14:00:00.000+00:00',
        },
      },
    });
    const response = await harness.call({
      method: 'POST',
      url: '/webhooks/telnyx/inbound',
      body,
      headers: signed(body),
    });
    expect(response.statusCode).toBe(200);
    expect(await eventsOf('sms.recipient.opted_in', user_id)).toEqual([]);
  });

  it('is recognized by the provider, whatever we make of the words', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    const body = JSON.stringify({
      data: {
        event_type: 'message.received',
        id: crypto.randomUUID(),
        occurred_at: harness.clock.now().toISOString(),
        payload: {
          id: crypto.randomUUID(),
          from: { phone_number: phone },
          text: 'ARRET',
          autoresponse_type: 'STOP',
        },
      },
    });
    const headers = signed(body);
    await harness.call({ method: 'POST', url: '/webhooks/telnyx/inbound', body, headers });
    expect(await eventsOf('sms.recipient.opted_out', user_id)).toHaveLength(1);
  });

  it('applies to a running batch: nothing is sent later than a second after our 2xx', async () => {
    const texts = await Promise.all(Array.from({ length: 90 }, () => aQueuedText(harness)));
    const stopped = texts.slice(-25).map(({ recipient }) => recipient.phone);
    const running = Promise.all(texts.map(({ id }) => harness.send(id)));
    const stoppedAt = new Map<string, number>();
    await Promise.all(
      stopped.map(async (phone) => {
        await reply(phone, 'STOP');
        stoppedAt.set(phone, Date.now());
      }),
    );
    await running;
    const userIds = texts.map(({ recipient }) => recipient.user_id);
    // On a busy machine, texts return to the queue after waiting 900 ms for their turn.
    await eventually(async () => {
      await harness.sendAllDue();
      const open = harness.db
        .selectFrom('texts')
        .select('id')
        .where('user_id', 'in', userIds)
        .where('state', 'in', ['queued', 'inflight']);
      return (await open.execute()).length === 0;
    });
    for (const phone of stopped) {
      for (const text of await harness.sandbox.texts(phone)) {
        expect(Date.parse(text.accepted_wall_at)).toBeLessThan(stoppedAt.get(phone)! + 1_000);
      }
    }
  });
});

describe('HELP', () => {
  it.each(['HELP', 'info'])('“%s” gets one reply, with brand, address and STOP', async (word) => {
    const { phone } = await aSubscriber(harness);
    await reply(phone, word);
    await harness.sendAllDue();
    const [answer, ...more] = await ourWords(phone);
    expect(more).toEqual([]);
    expect(answer).toMatch(/Daylift.*support@daylift\.example.*STOP/);
  });

  it.each([
    ['daily', 'Daylift: daily motivational texts.'],
    ['weekly', 'Daylift: weekly motivational texts.'],
  ] as const)('tells a %s subscriber how often texts come', async (frequency, words) => {
    const { phone } = await aSubscriber(harness, { frequency });
    await reply(phone, 'HELP');
    await harness.sendAllDue();
    expect((await ourWords(phone))[0]).toContain(words);
  });

  it('also gets a reply for strangers, with a limit', async () => {
    const phone = aNumber();
    for (let time = 0; time < 10; time += 1) await reply(phone, 'HELP');
    await harness.sendAllDue();
    const texts = await ourWords(phone);
    expect(texts).toHaveLength(7);
    expect(texts.filter((text) => text.includes("That's our last reply"))).toHaveLength(1);
  });

  it.each(['+5355512345', '+447012345678', '+19005551234', '+8816123456789'])(
    'gets no reply at %s, a number that we wouldn’t text',
    async (phone) => {
      for (const words of ['HELP', 'please stop texting me']) await reply(phone, words);
      await harness.sendAllDue();
      expect(await ourWords(phone)).toEqual([]);
    },
  );

  it('changes no consent, and gets no reply after STOP', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, 'STOP');
    await reply(phone, 'HELP');
    await harness.sendAllDue();
    expect(await ourWords(phone)).toEqual([]);
    expect(await eventsOf('sms.recipient.opted_in', user_id)).toEqual([]);
  });

  it('gets one reply when the webhook is delivered five times', async () => {
    await harness.sandbox.faults({ webhook: { duplicate: 1, duplicate_copies: 4 } });
    const { phone } = await aSubscriber(harness);
    await reply(phone, 'HELP');
    await harness.sendAllDue();
    await harness.sendAllDue();
    expect(await ourWords(phone)).toHaveLength(1);
  });
});

describe('a reply', () => {
  it.each([
    ['PAUSE 7', { command: 'pause', days: 7 }, 'paused for 7 days'],
    ['RESUME', { command: 'resume' }, 'back on'],
    ['7 PM', { command: 'hour', delivery_hour: 19 }, 'at 7 PM'],
    ['weekly', { command: 'frequency', frequency: 'weekly' }, 'once a week'],
    ['DAILY', { command: 'frequency', frequency: 'daily' }, 'every day'],
  ])('“%s” changes the setting and is confirmed by text', async (word, change, words) => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, word);
    await harness.sendAllDue();
    expect(await eventsOf('sms.setting.requested', user_id)).toMatchObject([{ change }]);
    const texts = await ourWords(phone);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(words);
  });

  it('PAUSE that the provider delivers after a newer RESUME is neither applied nor confirmed', async () => {
    const { id, recipient } = await aQueuedText(harness);
    const { phone, user_id } = recipient;
    await receive(phone, 'RESUME', -2 * minuteMs);
    await receive(phone, '7AM', -minuteMs);
    await receive(phone, 'PAUSE 7', -9 * minuteMs);
    expect(await eventsOf('sms.setting.requested', user_id)).toMatchObject([
      { change: { command: 'resume' } },
      { change: { command: 'hour' } },
    ]);
    expect(await harness.send(id)).toBe('accepted');
    await harness.sendAllDue();
    expect((await ourWords(phone)).join()).not.toContain('paused');
  });

  it('PAUSE that is received together with a newer RESUME is neither applied nor confirmed', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    // The first reply in a while also notes that the number was reached.
    await receive(phone, '7AM', -20 * minuteMs);
    const waiting = (count: number) =>
      eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(harness.db);
        return rows.length === count;
      });
    const received: Promise<void>[] = [];
    await harness.db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('recipients')
        .select('user_id')
        .where('user_id', '=', user_id)
        .forUpdate()
        .execute();
      received.push(receive(phone, 'RESUME', -minuteMs));
      await waiting(1);
      received.push(receive(phone, 'PAUSE 7', -9 * minuteMs));
      await waiting(2);
    });
    await Promise.all(received);
    expect(await eventsOf('sms.setting.requested', user_id)).toMatchObject([
      { change: { command: 'hour' } },
      { change: { command: 'resume' } },
    ]);
    await harness.sendAllDue();
    expect((await ourWords(phone)).join()).not.toContain('paused');
  });

  it('is ordered by when it was sent, not by when it arrived', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await receive(phone, 'PAUSE 7', -30_000);
    const [requested] = await eventsOf('sms.setting.requested', user_id);
    const { at } = requested as unknown as { at: string };
    expect(harness.clock.now().getTime() - Date.parse(at)).toBeGreaterThan(29_000);
  });

  it('RESUME ends a PAUSE that accounts has not heard of, with its webhook', async () => {
    const { id, recipient } = await aQueuedText(harness);
    await reply(recipient.phone, 'PAUSE 7');
    await reply(recipient.phone, 'RESUME');
    expect(await harness.send(id)).toBe('accepted');
  });

  it.each<[string, Parameters<typeof aSubscriber>[1]]>([
    ['switched texts off', { delivery_enabled: false }],
    ['was paused by staff', { is_active: false }],
  ])('RESUME of a subscriber who %s promises no texts', async (_why, settings) => {
    const { phone } = await aSubscriber(harness, settings);
    await reply(phone, 'RESUME');
    await harness.sendAllDue();
    expect(await ourWords(phone)).toEqual([
      `Daylift: Your pause is over, but your texts are off for another reason. Sign in to see why: ${harness.deps.words.publicUrl} HELP for help, STOP to cancel.`,
    ]);
  });

  it('RESUME after the plan has ended promises no texts', async () => {
    const { phone, user_id } = await aSubscriber(harness, { phone_proven: true });
    const ended = entitlement(user_id, { version: 2, entitled: false });
    await harness.receive('billing.subscription.changed', ended);
    await reply(phone, 'RESUME');
    await harness.sendAllDue();
    expect((await ourWords(phone)).join()).toContain('off for another reason');
  });

  it('PAUSE without days changes nothing and gets instructions 7 times an hour, the last of which says so', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    for (let time = 0; time < 8; time += 1) await reply(phone, 'Pause');
    await harness.sendAllDue();
    expect((await ourWords(phone)).toSorted()).toEqual([
      ...Array.from(
        { length: 6 },
        () =>
          'Daylift: Reply PAUSE 7 to pause your texts for 7 days (1 to 365). HELP for help, STOP to cancel.',
      ),
      "Daylift: Reply PAUSE 7 to pause your texts for 7 days (1 to 365). HELP for help, STOP to cancel. That's our last reply this hour, but we'll still act on what you text us.",
    ]);
    expect(await eventsOf('sms.setting.requested', user_id)).toEqual([]);
    expect((await storedTexts(phone))[0]).toMatchObject({ user_id, content: 'Pause' });
  });

  it("with a time that isn't on the hour changes nothing and gets examples to copy", async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, '8:30 PM');
    await harness.sendAllDue();
    expect(await ourWords(phone)).toEqual([
      'Daylift: Texts go out on the hour. Reply 8PM or 9PM to set yours. HELP for help, STOP to cancel.',
    ]);
    expect(await eventsOf('sms.setting.requested', user_id)).toEqual([]);
    const stranger = aNumber();
    await reply(stranger, '8:30 PM');
    await harness.sendAllDue();
    expect(await ourWords(stranger)).toEqual([]);
  });

  it('YES without a question proves the number and is confirmed', async () => {
    const { phone, user_id } = await aSubscriber(harness, { phone_proven: false });
    await reply(phone, 'YES');
    await harness.sendAllDue();
    expect(await eventsOf('sms.consent.confirmed', user_id)).toHaveLength(1);
    expect(await ourWords(phone)).toEqual([
      'Daylift: Thank you, this number is confirmed. Reply HELP for help, STOP to cancel.',
    ]);
  });

  it("START is confirmed by us only if the provider doesn't confirm it", async () => {
    const { phone } = await aSubscriber(harness);
    await reply(phone, 'please stop texting me');
    await reply(phone, 'un-stop');
    await harness.sendAllDue();
    await reply(phone, 'START');
    await harness.sendAllDue();
    const texts = await ourWords(phone);
    expect(texts.filter((text) => text.includes('Texts to this number are back on.'))).toHaveLength(
      1,
    );
  });

  describe('START that restores the renewal', () => {
    const restored = (user_id: string, minutesAgo = 0) =>
      harness.receive('billing.renewal.restored', {
        ...{ user_id, renews_at: '2027-04-12T03:00:00.000Z' },
        at: new Date(harness.clock.now().getTime() - minutesAgo * minuteMs).toISOString(),
      });

    it('is told so by text, once an hour', async () => {
      const { phone, user_id } = await aSubscriber(harness);
      await reply(phone, 'STOP');
      await reply(phone, 'START');
      for (let time = 0; time < 2; time += 1) await restored(user_id);
      await harness.sendAllDue();
      expect(await ourWords(phone)).toEqual([
        'Daylift: Your START also continues your subscription. It renews on April 11, 2027. Cancel anytime: https://daylift.example HELP for help, STOP to cancel.',
      ]);
    });

    it('is not told so an hour later, after another STOP, or on a number that another account has proven', async () => {
      const [late, stopped, owner] = [
        await aSubscriber(harness),
        await aSubscriber(harness),
        await aSubscriber(harness),
      ];
      const claim = await aSubscriber(harness, { phone: owner.phone, phone_proven: false });
      await restored(late.user_id, 61);
      await reply(stopped.phone, 'STOP');
      await restored(stopped.user_id);
      await restored(claim.user_id);
      await harness.sendAllDue();
      for (const { phone } of [late, stopped, owner]) expect(await ourWords(phone)).toEqual([]);
    });
  });

  it('PAUSE from an unknown number goes to the inbox without a reply', async () => {
    const phone = aNumber();
    await reply(phone, 'PAUSE');
    await harness.sendAllDue();
    expect(await storedTexts(phone)).toMatchObject([{ user_id: null, meaning: 'other' }]);
    expect(await ourWords(phone)).toEqual([]);
  });

  it.each([
    ['YES', 'granted'],
    ['Yes!', 'pending'],
    ['PAUSE 7', 'granted'],
    ['pause', 'granted'],
    ['7AM', 'pending'],
    ['8:30 PM', 'granted'],
  ] as const)(
    '“%s” before the checkout changes nothing and says what is missing',
    async (word, consent) => {
      const account = recipientFacts({ consent, phone_proven: false });
      await harness.receive('accounts.recipient.changed', account);
      await reply(account.phone, word);
      await harness.sendAllDue();
      expect(await ourWords(account.phone)).toEqual([
        "Daylift: Thanks! This number isn't set up for texts yet. Finish signing up or sign in: https://daylift.example HELP for help, STOP to cancel.",
      ]);
      for (const type of ['sms.consent.confirmed', 'sms.setting.requested'])
        expect(await eventsOf(type, account.user_id)).toEqual([]);
      await harness.receive('billing.subscription.changed', entitlement(account.user_id));
      await harness.sendAllDue();
      expect((await ourWords(account.phone))[1]).toContain(
        consent === 'granted' ? 'Welcome to' : 'Reply YES',
      );
    },
  );

  it('before the checkout gets a limited number of replies, and none after STOP', async () => {
    const account = recipientFacts({ consent: 'pending', phone_proven: false });
    await harness.receive('accounts.recipient.changed', account);
    for (let time = 0; time < 10; time += 1) await reply(account.phone, 'YES');
    await harness.sendAllDue();
    expect(await ourWords(account.phone)).toHaveLength(7);
    const other = recipientFacts({ phone_proven: false });
    await harness.receive('accounts.recipient.changed', other);
    for (const words of ['STOP', 'YES']) await reply(other.phone, words);
    await harness.sendAllDue();
    expect(await ourWords(other.phone)).toEqual([]);
  });

  it('before the checkout gets no reply if a STOP arrives before it is sent', async () => {
    const account = recipientFacts({ phone_proven: false });
    await harness.receive('accounts.recipient.changed', account);
    await reply(account.phone, 'YES');
    await reply(account.phone, 'STOP');
    await harness.sendAllDue();
    expect(await ourWords(account.phone)).toEqual([]);
  });

  it.each(['RESUME', '7AM', 'pause'])(
    '“%s” to a plan that has ended is left to staff, not called unfinished',
    async (word) => {
      const account = recipientFacts({ phone_proven: false });
      await harness.receive('accounts.recipient.changed', account);
      await harness.receive('billing.subscription.changed', {
        ...entitlement(account.user_id),
        entitled: false,
      });
      await reply(account.phone, word);
      await harness.sendAllDue();
      expect(await ourWords(account.phone)).toEqual([]);
      expect(await storedTexts(account.phone)).toMatchObject([{ meaning: 'other' }]);
    },
  );

  it.each(['YES', 'PAUSE 7', '7AM'])('“%s” from an unknown number gets no reply', async (word) => {
    const phone = aNumber();
    await reply(phone, word);
    await harness.sendAllDue();
    expect(await storedTexts(phone)).toMatchObject([{ user_id: null, meaning: 'other' }]);
    expect(await ourWords(phone)).toEqual([]);
  });

  it('is erased with its sender’s account, even if sent before the signup', async () => {
    const phone = aNumber();
    await reply(phone, 'Who is this?');
    const { user_id } = await aSubscriber(harness, { phone });
    await reply(phone, 'Ah, you');
    expect(await storedTexts(phone)).toHaveLength(2);
    await harness.receive('accounts.user.deleted', { user_id });
    expect(await storedTexts(phone)).toEqual([]);
  });

  it('with other text goes to the inbox without a reply', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, 'Thank you, this made my day');
    await harness.sendAllDue();
    expect(await storedTexts(phone)).toMatchObject([
      { user_id, meaning: 'other', content: 'Thank you, this made my day' },
    ]);
    expect(await ourWords(phone)).toEqual([]);
  });
});
