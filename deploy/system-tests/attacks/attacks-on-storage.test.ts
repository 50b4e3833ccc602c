import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Bus, connectBus, type EventOwner } from '@daylift/events/bus';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryDatabase } from '../query-database.ts';
import { aSubscriber, get, password, startTarget, stopTarget, target } from './target.ts';

beforeAll(startTarget, 180_000);
afterAll(stopTarget);

describe('The NATS login of a service', () => {
  type Consumer = Parameters<Bus['jsm']['consumers']['add']>[1];
  const addressFor = (owner: EventOwner): string => {
    const pid = target()
      .stack.processes()
      .find(({ name }) => name === owner)?.pid;
    return /^NATS_URL=(.*)$/m.exec(
      readFileSync(`/proc/${pid}/environ`, 'utf8').replaceAll('\0', '\n'),
    )?.[1] as string;
  };
  const open = (owner: EventOwner) => connectBus({ url: addressFor(owner), name: owner });
  const event = (type: string) => {
    const id = crypto.randomUUID();
    const payload = { id, type, occurred_at: new Date().toISOString(), data: {} };
    return { id, type, payload: JSON.stringify(payload) };
  };
  const victim = 'events.billing.subscription.changed';
  const stateOf = async (bus: Bus, stream: string) => {
    const { messages, last_seq } = (await bus.jsm.streams.info(stream)).state;
    return { messages, last_seq };
  };
  let billing: Bus;
  let content: Bus;
  beforeAll(async () => {
    billing = await open('billing');
    content = await open('content');
    await billing.send(event('billing.attacked'));
    await content.send({ ...event('billing.subscription.changed'), type: 'content.attack' });
  });
  afterAll(() => Promise.all([billing?.close(), content?.close()]));

  /** Resolves when the newest message of content's stream reaches the login's own inbox. */
  const delivered = (inbox: string) =>
    Promise.race([
      new Promise((resolve) => content.nats.subscribe(inbox, { callback: resolve })),
      content.nats.closed(),
    ]);
  /** JetStream sends the stream's name and the sequence. */
  const acknowledgeTo = async (reply: string) => {
    content.nats.publish('events.content.attack', event('content.attack').payload, { reply });
    await content.send(event('content.attack'));
  };
  const attempts: Record<string, () => Promise<unknown>> = {
    'publishes them itself': () => content.send(event('billing.attack')).catch(() => undefined),
    'lets a pull consumer reply to their subject': async () => {
      const reader = { ack_policy: 'none' } as Consumer;
      const { name } = await content.jsm.consumers.add('CONTENT', reader);
      const next = `$JS.API.CONSUMER.MSG.NEXT.CONTENT.${name}`;
      content.nats.publish(next, '1', { reply: victim });
      const witness = delivered('_INBOX.content.pull');
      content.nats.publish(next, '1', { reply: '_INBOX.content.pull' });
      await witness;
    },
    'lets a push consumer deliver to their subject': async () => {
      const push = (deliver_subject: string) =>
        ({ ack_policy: 'none', deliver_subject }) as Consumer;
      await content.jsm.consumers.add('CONTENT', push(victim));
      const witness = delivered('_INBOX.content.push');
      await content.jsm.consumers.add('CONTENT', push('_INBOX.content.push'));
      await witness;
    },
    'republishes to their subject': async () => {
      const republish = { src: 'attack', dest: victim };
      await content.jsm.streams.add({ name: 'ATTACK', subjects: ['attack'], republish });
      await content.js.publish('attack', event('billing.subscription.changed').payload);
    },
    'has an acknowledgement sent to their subject': () => acknowledgeTo(victim),
    'has an acknowledgement read as a request to delete one': () =>
      acknowledgeTo('$JS.API.STREAM.MSG.DELETE.BILLING'),
    'has an acknowledgement read as a request to purge them': () =>
      acknowledgeTo('$JS.API.STREAM.PURGE.BILLING'),
  };

  test.each(Object.keys(attempts))("can't change other services' events: %s", async (name) => {
    const before = await stateOf(billing, 'BILLING');
    await attempts[name]?.();
    expect(await stateOf(billing, 'BILLING')).toEqual(before);
  });

  test("can't read streams it doesn't consume, or change others", async () => {
    const reader = { ack_policy: 'explicit', durable_name: 'content' } as Consumer;
    for (const attempt of [
      () => content.jsm.consumers.add('ACCOUNTS', reader),
      () => content.jsm.streams.getMessage('ACCOUNTS', { seq: 1 }),
      () => content.jsm.streams.purge('ACCOUNTS'),
      () => content.jsm.streams.delete('ACCOUNTS'),
      () => content.jsm.consumers.delete('SMS', 'scheduler'),
    ])
      await expect(attempt()).rejects.toThrow(/stream not found/);
    const sources = [{ name: 'ACCOUNTS' }, { name: 'CONTENT' }];
    await content.jsm.streams.add({ name: 'COPY', subjects: [], sources });
    const own = await stateOf(content, 'CONTENT');
    await eventually(async () => (await stateOf(content, 'COPY')).messages >= own.messages);
    expect((await stateOf(content, 'COPY')).messages).toBe(own.messages);
    const refused = Promise.withResolvers<Error | null>();
    content.nats.subscribe('events.>', { callback: (error) => refused.resolve(error) });
    expect((await refused.promise)?.message).toMatch(/permissions violation/i);
  });

  test('is required', async () => {
    const { hostname, port } = new URL(addressFor('content'));
    const socket = connect(Number(port), hostname);
    socket.write('CONNECT {"verbose":false}\r\nPUB events.billing.x 2\r\n{}\r\nPING\r\n');
    expect(await text(socket)).toMatch(/Authorization Violation/);
  });
});

const isReady = () =>
  eventually(
    async () => (await fetch(`${target().stack.urls.gateway}/readyz`).catch(() => null))?.ok,
    { within: 60_000, what: 'the product' },
  );

/** Keeps the data of Postgres, like a replica that is behind its primary. */
async function saveReplica(): Promise<void> {
  const { databaseLocation: data, whileDown } = target().stack;
  await whileDown('postgres', () => void execFileSync('cp', ['-a', data, `${data}.replica`]));
  await isReady();
}

async function failOver(): Promise<void> {
  const { databaseLocation: data, whileDown } = target().stack;
  await whileDown('postgres', () => {
    rmSync(data, { recursive: true });
    execFileSync('mv', [`${data}.replica`, data]);
  });
  await isReady();
}

test('accounts and scheduler apply a STOP again after a failover loses it, even if sms-gateway lost the text', async () => {
  const { product, stack } = target();
  const person = await aSubscriber();
  const token = await product.login(person.email, password);
  const isStopped = async () =>
    (await get<{ opted_out: boolean }>('/users/me', token)).body.opted_out;
  const planned = async () =>
    (
      await queryDatabase<{ opted_out: boolean }>(
        stack,
        'select opted_out from scheduler.subscribers where user_id = $1',
        [person.id],
      )
    )[0]?.opted_out;
  await saveReplica();
  await product.reply(person.phone, 'STOP');
  await eventually(async () => (await isStopped()) && (await planned()), {
    within: 30_000,
    what: 'the STOP',
  });
  await product.settle();
  await failOver();
  expect(await queryDatabase(stack, 'select id from sms_gateway.inbound_texts')).toEqual([]);
  // Idle consumers check once a minute.
  await product.advance(1);
  await eventually(async () => (await isStopped()) && (await planned()), {
    within: 30_000,
    what: 'the lost STOP',
  });
});
