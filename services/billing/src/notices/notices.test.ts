import { handleEvent } from '@daylift/events/handle-event';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { journeyMs, origin, startBilling, type TestBilling } from '../../test/harness.ts';
import { consumers } from '../consumers.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling({ clockStart: '2027-03-06T12:00:00Z' });
});
afterAll(() => test.stop());
beforeEach(() => test.reset());

const started = 'Your free trial has started';
/** Returns the subjects of the mails after the first one. */
async function subjects(facts: { email: string }): Promise<string[]> {
  const all = (await test.mails(facts.email)).map((mail) => mail.subject);
  expect(all[0]).toBe(started);
  return all.slice(1);
}
async function mail(facts: { email: string }, subject: RegExp) {
  const found = (await test.mails(facts.email)).filter((one) => subject.test(one.subject));
  expect(found).toHaveLength(1);
  return found[0]!;
}
const reply = async (facts: { user_id: string }, type: 'opted_out' | 'opted_in', more = {}) => {
  const at = test.deps.clock.now().toISOString();
  await test.hear('sms', `sms.recipient.${type}`, { user_id: facts.user_id, at, ...more });
  await test.settle();
};

describe('Mails about payments', () => {
  it('announce the first charge at the start and a day ahead, once, with date, amount and how to cancel', async () => {
    const facts = await test.subscribe();
    const first = await mail(facts, /has started/);
    for (const words of ['Plan: Monthly', 'Then: $4.99 a month', `${origin}/dashboard?tab=plan`])
      expect(first.text).toContain(words);
    expect(first.text).toMatch(/First charge: March \d+, 2027/);
    expect(first.html).toContain('<th>Plan</th><td>Monthly</td>');
    await test.prove(facts);
    await test.advance(47);
    expect(await subjects(facts)).toEqual([]);
    await test.advance(2);
    const reminder = await mail(facts, /trial ends/);
    expect(reminder.subject).toMatch(/^Your free trial ends on March \d+, 2027$/);
    expect(reminder.text).toContain('$4.99');
    expect(reminder.text).toContain(`Cancel my plan: ${origin}/cancel-plan#sub_`);
    await test.advance(26);
    expect((await subjects(facts)).filter((one) => /trial/.test(one))).toHaveLength(1);
    const receipt = await mail(facts, /receipt/);
    expect(receipt.text).toContain('charged your card $4.99');
    for (const words of [/^Plan: Monthly$/m, /^Card: Visa ending in \d{4}$/m, /^Amount: \$4\.99$/m])
      expect(receipt.text).toMatch(words);
    expect(receipt.text).toMatch(/Period: March \d+, 2027 to April \d+, 2027/);
    const [, pdf = ''] = /Download the PDF: (\S+)/.exec(receipt.text) ?? [];
    const file = await fetch(pdf);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(await file.text()).toMatch(/^%PDF/);
  });

  const cancelBy = async (token: string) =>
    test.app.inject({ method: 'POST', url: '/plans/cancel', payload: { token } });
  const tokenFor = async (facts: { email: string }) => {
    const { text } = await mail(facts, /trial ends/);
    return /cancel-plan#(\S+)/.exec(text)?.[1] ?? '';
  };

  it("cancel once, however often the reminder's link is used", async () => {
    const facts = await test.subscribe();
    await test.prove(facts);
    await test.advance(49);
    const token = await tokenFor(facts);
    for (const changed of [`x${token}`, token.slice(0, -1), `${token}.x`, 'x'])
      expect((await cancelBy(changed)).statusCode).toBe(400);
    const [first, second] = await Promise.all([cancelBy(token), cancelBy(token)]);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(first.json()).toEqual({ ends_at: (await test.state(facts.user_id))?.trial_end });
    await test.settle();
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: true });
    expect((await subjects(facts)).filter((one) => /is canceled/.test(one))).toHaveLength(1);
    await test.advance(26);
    expect((await cancelBy(token)).json()).toMatchObject({ code: 'CANCEL_LINK_NOT_GOOD' });
    expect((await subjects(facts)).filter((one) => /receipt/.test(one))).toEqual([]);
  });

  it("don't cancel a plan that was upgraded since the reminder", async () => {
    const facts = await test.subscribe();
    await test.prove(facts);
    await test.advance(49);
    const token = await tokenFor(facts);
    await test.app.inject({
      method: 'POST',
      url: '/users/me/plan/upgrade',
      headers: test.asUser(facts.user_id),
      payload: { plan: 'monthly' },
    });
    expect((await cancelBy(token)).statusCode).toBe(400);
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: false });
  });

  it('contain no name or details for an unproven email, and are not in its export', async () => {
    const facts = await test.subscribe({ name: 'Wilhelmina Secret' });
    await test.advance(80);
    const reminder = await mail(facts, /trial ends/);
    expect(reminder.text).toContain('$4.99');
    expect(reminder.text).not.toContain('cancel-plan');
    const receipt = await mail(facts, /receipt/);
    expect(receipt.text).not.toContain('$');
    for (const { subject, text } of await test.mails(facts.email))
      expect(`${subject} ${text}`).not.toContain('Wilhelmina');
    const exported = async () => {
      const response = await test.app.inject({
        url: `/internal/export/${facts.user_id}`,
        headers: test.as({ kind: 'service', name: 'accounts' }),
      });
      return response.json<{ mails: { subject: string }[] }>().mails;
    };
    expect(await exported()).toEqual([]);
    await test.prove(facts);
    expect((await exported()).map(({ subject }) => subject)).toContain(receipt.subject);
    await test.prove(facts, { email_proven: false });
    expect(await exported()).toEqual([]);
  });

  it("don't announce a charge that won't happen", async () => {
    const facts = await test.subscribe();
    const { data } = await test.deps.stripe.subscriptions.list({ limit: 1 });
    await test.deps.stripe.subscriptions.update(data[0]!.id, { cancel_at_period_end: true });
    await test.advance(80);
    expect(await subjects(facts)).toEqual([]);
  });
});

describe('mails of a deleted account', () => {
  it('are deleted, sent or not', async () => {
    const facts = await test.subscribe();
    await reply(facts, 'opted_out', { source: 'keyword' });
    const storedMails = () =>
      test.db.selectFrom('mails').select('key').where('to_address', '=', facts.email).execute();
    expect(await storedMails()).toHaveLength(2);
    await test.hear('accounts', 'accounts.user.deleted', { user_id: facts.user_id });
    await test.settle();
    expect(await storedMails()).toEqual([]);
  });
});

describe('STOP by text', () => {
  it('ends a trial without a charge, and START restores it', async () => {
    const facts = await test.subscribe();
    await reply(facts, 'opted_out', { source: 'keyword' });
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: true });
    const stopped = await mail(facts, /won't renew/);
    expect(stopped.text).toContain("you won't be charged");
    await test.advance(1);
    await reply(facts, 'opted_in');
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: false });
    await mail(facts, /continues/);
    await test.advance(80);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'active' });
  });

  it('ends it permanently without START, with one mail for repeated events', async () => {
    const facts = await test.subscribe();
    const at = test.deps.clock.now().toISOString();
    const data = { user_id: facts.user_id, at, source: 'phrase' };
    await test.hear('sms', 'sms.recipient.opted_out', data);
    await test.hear('sms', 'sms.recipient.opted_out', data);
    await test.settle();
    await test.advance(80);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'canceled' });
    expect(await subjects(facts)).toEqual(["Your subscription won't renew"]);
  });

  it('sends one mail even if the webhook arrives before the API response', async () => {
    const facts = await test.subscribe();
    await test.faults({ accept_then_delay_ms: { stripe: 600, telnyx: 0 } });
    await reply(facts, 'opted_out', { source: 'keyword' });
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: true });
    expect(await subjects(facts)).toEqual(["Your subscription won't renew"]);
    const states = await test.states(facts.user_id);
    expect(states.map((state) => state.cancel_at_period_end)).toEqual([false, true]);
  });

  it("doesn't cancel the renewal when disabled", async () => {
    const facts = await test.subscribe();
    const definitions = consumers({ ...test.deps, stopEndsRenewal: false });
    const now = test.deps.clock.now();
    const event = {
      id: crypto.randomUUID(),
      type: 'sms.recipient.opted_out',
      occurred_at: now.toISOString(),
      data: { user_id: facts.user_id, at: now.toISOString(), source: 'keyword' },
    };
    await handleEvent(test.db, definitions.find((one) => one.owner === 'sms')!, event, now);
    await test.settle();
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: false });
  });

  it('is applied once the provider is available', async () => {
    const facts = await test.subscribe();
    await test.faults({ stripe_down: true });
    const at = test.deps.clock.now().toISOString();
    const data = { user_id: facts.user_id, at, source: 'keyword' };
    await test.hear('sms', 'sms.recipient.opted_out', data);
    await test.settle();
    await test.faults({});
    await test.advance(1);
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: true });
    await mail(facts, /won't renew/);
  });

  it('after a START that is still pending still cancels', async () => {
    const facts = await test.subscribe();
    await reply(facts, 'opted_out', { source: 'keyword' });
    await test.faults({ stripe_down: true });
    await test.advance(1);
    await reply(facts, 'opted_in');
    await test.advance(1);
    await reply(facts, 'opted_out', { source: 'keyword' });
    await test.faults({});
    await test.advance(80);
    expect(await test.state(facts.user_id)).toMatchObject({ status: 'canceled' });
    expect((await subjects(facts)).filter((one) => /receipt/.test(one))).toEqual([]);
  });

  it('before a START that arrived first sends no mail', async () => {
    const facts = await test.subscribe();
    const earlier = test.deps.clock.now().toISOString();
    await test.advance(1);
    await reply(facts, 'opted_in');
    await test.hear('sms', 'sms.recipient.opted_out', {
      user_id: facts.user_id,
      at: earlier,
      source: 'keyword',
    });
    await test.settle();
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: false });
  });

  it("isn't inferred from a carrier's rejection", async () => {
    const facts = await test.subscribe();
    await reply(facts, 'opted_out', { source: 'provider' });
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: false });
  });

  it("keeps the subscriber's own cancellation", async () => {
    const facts = await test.subscribe();
    const { data } = await test.deps.stripe.subscriptions.list({ limit: 1 });
    await test.deps.stripe.subscriptions.update(data[0]!.id, { cancel_at_period_end: true });
    await test.settle();
    await reply(facts, 'opted_out', { source: 'keyword' });
    await reply(facts, 'opted_in');
    expect(await test.state(facts.user_id)).toMatchObject({ cancel_at_period_end: true });
    expect(await subjects(facts)).toEqual([]);
  });
});
