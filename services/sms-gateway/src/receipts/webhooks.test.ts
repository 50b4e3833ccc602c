import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { hourMs, minuteMs } from '@daylift/clock/durations';
import type { CollectedWebhook } from '@daylift/contracts/webhook';
import type { Identity } from '@daylift/server/identity';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aNumber, aQueuedText } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';
import { receipt } from '../../test/receipts.ts';
import { signed } from '../../test/sandbox.ts';
import { advance, type ProvenState } from '../texts/text-states.ts';
import { reconcile } from './reconcile.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ timeoutMs: 2_000, leaseMs: 5_000 });
});
afterAll(() => harness.close());
afterEach(() => harness.sandbox.faults({ reset: true }));

let areas = 200;
/** Returns a number to which the sandbox sends no receipts, so the test can. */
function silentNumber(): string {
  areas += 1;
  return `+1${areas}3000003`;
}

const silentText = async () => {
  const queued = await aQueuedText(harness, { recipient: { phone: silentNumber() } });
  await harness.send(queued.id);
  return { ...queued, row: await harness.text(queued.id) };
};

const deliver = async (hint: string, body: string | Buffer, headers = signed(String(body))) =>
  (await harness.call({ method: 'POST', url: `/webhooks/telnyx/${hint}`, body, headers }))
    .statusCode;

describe("a receipt that isn't the provider's changes nothing", () => {
  const otherKey = generateKeyPairSync('ed25519').privateKey;
  const without = (name: string) => (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

  it.each<[string, (body: string) => { body: string | Buffer; headers: Record<string, string> }]>([
    ['signed with another key', (body) => ({ body, headers: signed(body, Date.now(), otherKey) })],
    ['301 s old', (body) => ({ body, headers: signed(body, Date.now() - 301_500) })],
    ['301 s ahead', (body) => ({ body, headers: signed(body, Date.now() + 301_500) })],
    [
      'altered',
      (body) => ({ body: body.replace('delivered', 'delivery_failed'), headers: signed(body) }),
    ],
    [
      'printed anew',
      (body) => ({ body: JSON.stringify(JSON.parse(body), null, 1), headers: signed(body) }),
    ],
    ['longer by a space', (body) => ({ body: `${body} `, headers: signed(body) })],
    [
      'not valid UTF-8',
      (body) => ({
        body: Buffer.concat([Buffer.from(body), Buffer.of(0xff)]),
        headers: signed(body),
      }),
    ],
    ['empty', () => ({ body: '', headers: signed('') })],
    ['unsigned', (body) => ({ body, headers: without('telnyx-signature-ed25519')(signed(body)) })],
    ['without its time', (body) => ({ body, headers: without('telnyx-timestamp')(signed(body)) })],
    [
      'with another time',
      (body) => ({ body, headers: { ...signed(body), 'telnyx-timestamp': '1' } }),
    ],
    [
      'with a time that is no number',
      (body) => ({ body, headers: { ...signed(body), 'telnyx-timestamp': '1e9' } }),
    ],
    [
      'with a signature that is none',
      (body) => ({ body, headers: { ...signed(body), 'telnyx-signature-ed25519': 'AAAA' } }),
    ],
    [
      'as another media type',
      (body) => ({ body, headers: { ...signed(body), 'content-type': 'text/plain' } }),
    ],
  ])('%s', async (_what, forge) => {
    const { id, row, recipient } = await silentText();
    const body = receipt({
      status: 'delivered',
      provider_id: row.provider_id!,
      to: recipient.phone,
    });
    const forged = forge(body);
    const status = await deliver(id, forged.body, forged.headers);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect((await harness.text(id)).state).toBe('accepted');
    const stored = await harness.db
      .selectFrom('receipts')
      .selectAll()
      .where('text_id', '=', id)
      .execute();
    expect(stored).toEqual([]);
  });

  it('with a valid signature but an unknown format: rejected and reported', async () => {
    const body = JSON.stringify({ data: { event_type: 'message.sent' } });
    const response = await harness.call({
      method: 'POST',
      url: '/webhooks/telnyx/x',
      body,
      headers: signed(body),
    });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'MALFORMED_WEBHOOK',
      detail: expect.any(String),
    });
  });

  it('above the size limit', async () => {
    const body = JSON.stringify({ data: 'x'.repeat(300_000) });
    expect(await deliver('inbound', body)).toBe(413);
  });
});

describe('a receipt finds its text', () => {
  it('and changes nothing the second time', async () => {
    const { id, row, recipient } = await silentText();
    const body = receipt({
      status: 'delivered',
      provider_id: row.provider_id!,
      to: recipient.phone,
    });
    expect(await deliver(id, body)).toBe(200);
    const after = await harness.text(id);
    expect(await deliver(id, body)).toBe(200);
    expect(await harness.text(id)).toEqual(after);
  });

  it("by id; the address is a hint that can't touch another text", async () => {
    const own = await silentText();
    const other = await silentText();
    const body = receipt({
      status: 'delivered',
      provider_id: own.row.provider_id!,
      to: own.recipient.phone,
    });
    expect(await deliver(other.id, body)).toBe(200);
    expect((await harness.text(other.id)).state).toBe('accepted');
    expect((await harness.text(own.id)).state).toBe('delivered');
  });

  it('and is stored and acknowledged for an unknown message', async () => {
    const { id } = await silentText();
    const body = receipt({ status: 'delivered', provider_id: randomUUID(), to: aNumber() });
    expect(await deliver(id, body)).toBe(200);
    expect(
      await deliver(
        '20271399-00000000000000000000000000000000',
        receipt({ status: 'sent', provider_id: randomUUID(), to: aNumber() }),
      ),
    ).toBe(200);
    expect((await harness.text(id)).state).toBe('accepted');
  });

  it('and a text that a carrier never confirms stays sent', async () => {
    const { id, row, recipient } = await silentText();
    await deliver(
      id,
      receipt({
        status: 'delivery_unconfirmed',
        provider_id: row.provider_id!,
        to: recipient.phone,
      }),
    );
    expect(await harness.text(id)).toMatchObject({
      state: 'sent',
      check_at: null,
      reason: 'delivery_unconfirmed',
    });
  });

  it('and survives duplicated, shuffled and resent webhooks of the sandbox', async () => {
    await harness.sandbox.faults({
      webhook: { duplicate: 1, duplicate_copies: 4, reorder: 0.5, wrong_signature: 0.2 },
    });
    const texts = await Promise.all(Array.from({ length: 12 }, () => aQueuedText(harness)));
    await Promise.all(texts.map(({ id }) => harness.send(id)));
    for (const { id } of texts)
      expect(await harness.reaches(id, 'delivered')).toMatchObject({ cost: '0.00700' });
  });
});

describe('a set of webhooks from the gateway', () => {
  const asGateway: Identity = { kind: 'service', name: 'gateway' };
  const inSet = (dispatch: string, body: string, headers = signed(body)): CollectedWebhook => ({
    request_id: `request-${dispatch}`,
    traceparent: null,
    params: { dispatch },
    headers,
    base64: Buffer.from(body).toString('base64'),
  });
  const deliverSet = (webhooks: CollectedWebhook[], as?: Identity) =>
    harness.call({
      method: 'POST',
      url: '/internal/webhooks/telnyx',
      body: JSON.stringify(webhooks),
      headers: { 'content-type': 'application/json' },
      ...(as && { as }),
    });

  it('applies each that the provider signed, in one transaction, and rejects the others', async () => {
    const texts = await Promise.all(Array.from({ length: 4 }, silentText));
    const webhooks = texts.map(({ id, row, recipient }) =>
      inSet(
        id,
        receipt({ status: 'delivered', provider_id: row.provider_id!, to: recipient.phone }),
      ),
    );
    const [first, second] = webhooks;
    webhooks[1] = { ...second!, headers: first!.headers };
    webhooks.push(inSet('x', '{}'));
    const response = await deliverSet(webhooks, asGateway);
    const ok = { status: 200, body: { received: true } };
    const refused = (status: number, code: string, dispatch: string) => ({
      status,
      body: { detail: expect.any(String), code, request_id: `request-${dispatch}` },
    });
    expect(response.json()).toEqual([
      ok,
      refused(401, 'FORGED_WEBHOOK', texts[1]!.id),
      ok,
      ok,
      refused(400, 'MALFORMED_WEBHOOK', 'x'),
    ]);
    const states = await Promise.all(texts.map(async ({ id }) => (await harness.text(id)).state));
    expect(states).toEqual(['delivered', 'accepted', 'delivered', 'delivered']);
    const stored = await harness.db
      .selectFrom('receipts')
      .select(sql<string>`xmin::text`.as('transaction'))
      .where(
        'text_id',
        'in',
        texts.map(({ id }) => id),
      )
      .execute();
    expect(stored).toHaveLength(3);
    expect(new Set(stored.map(({ transaction }) => transaction)).size).toBe(1);
  });

  it('applies a STOP before it responds', async () => {
    const { recipient } = await silentText();
    const stop = JSON.stringify({
      data: {
        id: randomUUID(),
        event_type: 'message.received',
        occurred_at: '2027-03-09T15:00:01.000+00:00',
        payload: {
          id: randomUUID(),
          from: { phone_number: recipient.phone },
          to: [],
          text: 'STOP',
        },
      },
    });
    const response = await deliverSet([inSet('inbound', stop)], asGateway);
    expect(response.json()).toEqual([{ status: 200, body: { received: true } }]);
    const stopped = await harness.published<{ user_id: string }>('sms.recipient.opted_out');
    expect(stopped.map(({ user_id }) => user_id)).toContain(recipient.user_id);
  });

  it('is taken only from services', async () => {
    expect((await deliverSet([])).statusCode).toBe(401);
  });
});

const evidence = fc.constantFrom<[string, ProvenState, string?]>(
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['delivery_failed', 'failed', '40008'],
  ['expired', 'failed', '40005'],
);

it('property: receipts in any order and number end at the furthest status', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(evidence, fc.nat({ max: 3 })), { minLength: 1, maxLength: 8 }),
      async (history) => {
        const { id, row, recipient } = await silentText();
        const bodies = history.map(([[status, , code], slot]) =>
          receipt({
            status,
            provider_id: row.provider_id!,
            to: recipient.phone,
            // Few event ids, so many events are repeated, and must be told apart by status too.
            event_id: `${id}-${slot}-${status}`,
            ...(code && { code }),
          }),
        );
        const responses = await Promise.all(bodies.map((body) => deliver(id, body)));
        expect(responses).toEqual(responses.map(() => 200));
        const furthest = history.reduce<ProvenState>(
          // A text that is known to be accepted stays so until its final receipt.
          (state, [[status, proven]]) =>
            status === 'sent' ? state : (advance(state, proven) as ProvenState),
          'accepted',
        );
        expect((await harness.text(id)).state).toBe(furthest);
        const settled = await harness.settled();
        expect(settled.filter(({ dispatch_id }) => dispatch_id === id)).toHaveLength(1);
      },
    ),
    { numRuns: 40 },
  );
});

/** Runs like the loop, until there is nothing left to query. */
async function queryProvider(): Promise<void> {
  while ((await reconcile(harness.deps)) > 0);
}

describe('the provider is queried', () => {
  it('after 15 minutes about a text without receipts', async () => {
    await harness.sandbox.faults({ webhook: { drop: 1 } });
    const { id } = await aQueuedText(harness);
    await harness.send(id);
    await harness.moveTo(new Date(harness.clock.now().getTime() + 16 * minuteMs));
    await queryProvider();
    expect(await harness.text(id)).toMatchObject({
      state: 'delivered',
      cost: '0.00700',
      check_at: null,
    });
  });

  it('about a text without response and receipts, by number and time', async () => {
    await harness.sandbox.faults({ webhook: { drop: 1 }, accept_then_drop: 1 });
    const { id, recipient } = await aQueuedText(harness);
    expect(await harness.send(id)).toBe('unknown');
    await harness.sandbox.faults({ reset: true });
    await harness.moveTo(new Date(harness.clock.now().getTime() + 2 * minuteMs));
    await queryProvider();
    expect((await harness.text(id)).state).toBe('delivered');
    expect(await harness.sandbox.texts(recipient.phone)).toHaveLength(1);
  });

  it("and if it doesn't know the text either, it stays unknown and is never resent", async () => {
    const { id, recipient } = await aQueuedText(harness);
    // The provider responds 500 and has accepted nothing.
    await harness.sandbox.faults({ recipients: { [recipient.phone]: { code: '10007' } } });
    expect(await harness.send(id)).toBe('unknown');
    for (let hours = 1; hours <= 12; hours += 1) {
      await harness.moveTo(new Date(harness.clock.now().getTime() + hourMs));
      await queryProvider();
    }
    expect(await harness.text(id)).toMatchObject({
      state: 'unknown',
      check_at: null,
      reason: 'provider_10007',
    });
    expect(await harness.sandbox.texts(recipient.phone)).toEqual([]);
  });
});
