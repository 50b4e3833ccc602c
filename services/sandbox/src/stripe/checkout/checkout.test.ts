import { eventually } from '@daylift/testing/eventually';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, openShop, type Shop } from '../../../test/stripe-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const HOUR = 3600;
const VALID = { card_number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123', name: 'Ada L' };

async function post(url: string, fields: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  });
  return {
    status: response.status,
    to: response.headers.get('location'),
    page: await response.text(),
  };
}
const load = async (url: string) => (await fetch(url)).text();

describe('a checkout session', () => {
  it('links to the public address, even if the services call another one', async () => {
    const publicShop = await openShop({ SANDBOX_PUBLIC_URL: 'https://sandbox.example' });
    const { id, url } = await publicShop.checkout();
    await publicShop.close();
    expect(url).toBe(`https://sandbox.example/c/pay/${id}`);
  });

  it('takes a one-time payment with a new customer and a paid invoice, and rejects parameters of the other mode', async () => {
    const { stripe, test } = shop;
    const price_data = {
      ...{ currency: 'usd', unit_amount: 1000, tax_behavior: 'exclusive' as const },
      product_data: { name: 'A gift' },
    };
    const once = {
      mode: 'payment' as const,
      line_items: [{ price_data, quantity: 1 }],
      customer_creation: 'always' as const,
      customer_email: 'giver@example.com',
      invoice_creation: { enabled: true },
      automatic_tax: { enabled: true },
      success_url: `${test.receiver.url}/gift?session_id={CHECKOUT_SESSION_ID}`,
    };
    const refusals: [object, string][] = [
      [{ subscription_data: { metadata: { a: 'b' } } }, 'subscription_data'],
      [{ mode: 'subscription' }, 'customer_creation'],
      [{ line_items: [{ price: shop.monthly.id, quantity: 1 }] }, 'line_items[0][price]'],
    ];
    for (const [change, param] of refusals)
      await expect(stripe.checkout.sessions.create({ ...once, ...change })).rejects.toMatchObject({
        param,
      });
    const { id, url } = await stripe.checkout.sessions.create(once);
    expect(await load(url!)).toContain('Buy A gift');
    expect((await post(url!, { ...VALID, place: 'GB' })).to).toContain(`session_id=${id}`);
    const done = await stripe.checkout.sessions.retrieve(id, { expand: ['invoice.payments'] });
    expect(done).toMatchObject({
      ...{ status: 'complete', payment_status: 'paid', amount_total: 1200, subscription: null },
      invoice: { status: 'paid', parent: null, amount_paid: 1200, customer: done.customer },
      customer_details: { email: 'giver@example.com' },
    });
    const { payments } = done.invoice as Stripe.Invoice;
    expect(payments?.data[0]?.payment.payment_intent).toBe(done.payment_intent);
    const intent = await stripe.paymentIntents.retrieve(done.payment_intent as string, {
      expand: ['latest_charge'],
    });
    expect(intent).toMatchObject({
      ...{ status: 'succeeded', amount_received: 1200, customer: done.customer },
      latest_charge: { paid: true, amount: 1200 },
    });
  });

  it('adds tax for the entered address; needs a price with tax behavior and permission to save the address', async () => {
    const { stripe, monthly } = shop;
    const taxed = {
      ...{ trial_days: null, automatic_tax: { enabled: true } },
      customer_update: { address: 'auto' as const },
    };
    await expect(shop.checkout(taxed)).rejects.toMatchObject({ param: 'line_items[0][price]' });
    const { id: price } = await stripe.prices.create({
      ...{ product: monthly.product as string, currency: 'usd', unit_amount: 1000 },
      ...{ recurring: { interval: 'month' }, tax_behavior: 'exclusive' },
    });
    const line_items = [{ price, quantity: 1 }];
    const { automatic_tax } = taxed;
    await expect(
      shop.checkout({ trial_days: null, automatic_tax, line_items }),
    ).rejects.toMatchObject({ code: 'customer_tax_location_invalid' });
    const session = await shop.checkout({ ...taxed, line_items });
    expect(await load(session.url!)).toContain('GB: $2.00 tax, $12.00 in total');
    await post(session.url!, { ...VALID, place: 'GB' });
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice'] });
    expect(done).toMatchObject({
      amount_total: 1200,
      total_details: { amount_tax: 200 },
      invoice: { total: 1200, total_excluding_tax: 1000, total_taxes: [{ amount: 200 }] },
    });
    const { total } = await stripe.invoices.createPreview({
      subscription: done.subscription as string,
    });
    expect(total).toBe(1200);
  });

  it('creates the subscription and invoice only once completed', async () => {
    const session = await shop.checkout({ client_reference_id: 'user-1', metadata: { a: 'b' } });
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      subscription: null,
      invoice: null,
      amount_total: 0,
      client_reference_id: 'user-1',
      expires_at: session.created + 24 * HOUR,
    });
    const { body } = await shop.complete(session.id);
    const done = await shop.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'invoice'],
    });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      url: null,
      metadata: { a: 'b' },
      customer_details: { email: 'ada@example.com' },
      subscription: { status: 'trialing', metadata: { user_id: 'u1' } },
      invoice: { status: 'paid', amount_paid: 0, billing_reason: 'subscription_create' },
    });
    expect(body).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      redirect_url: `${shop.test.receiver.url}/success?session_id=${session.id}`,
    });
  });

  it('charges immediately without a trial', async () => {
    const { session, customer } = await shop.subscriber({ trial_days: null });
    expect(session).toMatchObject({ payment_status: 'paid', amount_total: 499 });
    const charges = await shop.stripe.charges.list({ customer });
    expect(charges.data).toMatchObject([{ amount: 499, paid: true }]);
  });

  it('starts a trial that ends at a given instant, at least two days ahead', async () => {
    const end = shop.now() + 40 * 24 * HOUR;
    const until = (trial_end: number, more = {}) =>
      shop.checkout({ trial_days: null, subscription_data: { trial_end, ...more } });
    const refused = { param: 'subscription_data[trial_end]' };
    await expect(until(shop.now() + 47 * HOUR)).rejects.toMatchObject(refused);
    await expect(until(end, { trial_period_days: 3 })).rejects.toMatchObject(refused);
    const session = await until(end);
    expect(session.amount_total).toBe(0);
    expect(await load(session.url!)).toContain('40 days free');
    await shop.complete(session.id);
    const { subscription } = await shop.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription'],
    });
    expect(subscription).toMatchObject({ status: 'trialing', trial_end: end });
  });

  it('reports `paid` for a trial if the dial is set', async () => {
    await shop.test.post('/sandbox/faults', { stripe: { trial_payment_status: 'paid' } });
    expect((await shop.subscriber()).session.payment_status).toBe('paid');
    await shop.test.post('/sandbox/faults', { reset: true });
  });

  it('expires by the product clock, with an event', async () => {
    const session = await shop.checkout({ expires_at: shop.now() + HOUR });
    await shop.advance(HOUR + 1);
    const found = await shop.stripe.checkout.sessions.retrieve(session.id);
    expect(found).toMatchObject({ status: 'expired', url: null });
    await shop.hook('checkout.session.expired', ({ id }) => id === session.id);
    expect((await fetch(session.url!)).status).toBe(410);
    expect((await shop.complete(session.id)).status).toBe(409);
  });

  it('can be expired by the shop, once', async () => {
    const { id } = await shop.checkout();
    expect((await shop.stripe.checkout.sessions.expire(id)).status).toBe('expired');
    await expect(shop.stripe.checkout.sessions.expire(id)).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  it.each([
    ['an expiry within the half hour', { expires_at: 0 }],
    ['no line items', { line_items: [] }],
    ['a line without quantity', { line_items: [{ price: 'price_x' }] }],
    ['a zero-day trial', { subscription_data: { trial_period_days: 0 } }],
    ['an invalid success URL', { success_url: 'success' }],
  ])('is rejected with %s', async (_what, params) => {
    await expect(shop.checkout(params)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('fills in only the literal placeholder', async () => {
    const encoded = 'http://shop.example/ok?id=%7BCHECKOUT_SESSION_ID%7D';
    const session = await shop.checkout({ success_url: encoded });
    expect((await shop.complete(session.id)).body.redirect_url).toBe(encoded);
  });

  it('completes once, however often its form is submitted', async () => {
    const session = await shop.checkout({ trial_days: null });
    const responses = await Promise.all(Array.from({ length: 5 }, () => shop.complete(session.id)));
    expect(responses.map((each) => each.status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { customer } = await shop.stripe.checkout.sessions.retrieve(session.id);
    const charges = await shop.stripe.charges.list({ customer: customer as string });
    expect(charges.data).toHaveLength(1);
  });

  it('returns 404 for another id', async () => {
    expect((await shop.complete('cs_test_x')).status).toBe(404);
    expect((await fetch(`${shop.test.sandbox.address}/c/pay/cs_test_x`)).status).toBe(404);
  });
});

describe('the cards', () => {
  it.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000009979', 'card_declined', 'stolen_card'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error', 'processing_error'],
    ['4242424242424241', 'incorrect_number', null],
    ['4000000000006975', 'card_declined', 'card_velocity_exceeded'],
    ['4012888888881881', 'card_declined', 'test_mode_live_card'],
  ])('%s is declined with 402 and leaves the session open', async (card, code, decline_code) => {
    const session = await shop.checkout();
    const response = await shop.complete(session.id, { card });
    expect(response).toMatchObject({ status: 402, body: { code, decline_code } });
    expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    expect((await shop.complete(session.id)).status).toBe(200);
  });

  it('0341 starts a trial, but is declined for an immediate payment', async () => {
    expect((await shop.subscriber({ card: '4000000000000341' })).session.status).toBe('complete');
    const paid = await shop.checkout({ trial_days: null });
    expect((await shop.complete(paid.id, { card: '4000000000000341' })).status).toBe(402);
  });

  const fingerprint = async (card: string) => {
    const { subscription } = await shop.subscriber({ card });
    return (await shop.cardOf(subscription)).fingerprint;
  };

  it('have one fingerprint per number, without revealing it', async () => {
    const [a, b, c] = [
      await fingerprint('5555555555554444'),
      await fingerprint('5555 5555 5555 4444'),
      await fingerprint('4242420000000018'),
    ];
    expect(a).toMatch(/^\w{16}$/);
    expect(b).toBe(a);
    expect(c).not.toBe(a);
  });

  it('4242 4242 4242 4242 is a different card for each email address', async () => {
    const ofPerson = async (email: string) => {
      const { id: customer } = await shop.stripe.customers.create({ email });
      const { subscription } = await shop.subscriber({ card: '4242424242424242', customer });
      return (await shop.cardOf(subscription)).fingerprint;
    };
    expect(await ofPerson('one@example.com')).not.toBe(await ofPerson('two@example.com'));
    expect(await ofPerson('one@example.com')).toBe(await ofPerson('One@example.com'));
  });
});

describe('the hosted page', () => {
  it('shows the plan, what is due today and later, and that no real money moves', async () => {
    const page = await load((await shop.checkout()).url!);
    expect(page).toContain('Sandbox checkout – no real money');
    expect(page).toContain('3 days free');
    expect(page).toMatch(/Then \$4\.99 \/ month, starting \w+ \d+, \d{4}/);
    expect(page).toMatch(/Total due today<\/dt><dd>\$0\.00/);
    expect(page).toContain('>Start trial</button>');
    for (const label of ['Card number', 'Expiry (MM/YY)', 'CVC', 'Name on card']) {
      expect(page).toContain(`>${label}</label>`);
    }
    const paid = await load((await shop.checkout({ trial_days: null })).url!);
    expect(paid).toContain('>Pay $4.99</button>');
  });

  it('accepts a valid card, and redirects with 303 once the webhook is accepted', async () => {
    const session = await shop.checkout();
    const response = await post(session.url!, VALID);
    expect(response).toMatchObject({
      status: 303,
      to: `${shop.test.receiver.url}/success?session_id=${session.id}`,
    });
    expect(shop.hookTypes(session.id)).toEqual(['checkout.session.completed']);
    expect(await load(session.url!)).toContain('already complete');
  });

  it('shows a decline on the form and accepts another card', async () => {
    const session = await shop.checkout();
    const declined = await post(session.url!, { ...VALID, card_number: '4000000000000127' });
    expect(declined.status).toBe(402);
    expect(declined.page).toContain('role="alert"');
    expect(declined.page).toContain('security code is incorrect');
    expect(declined.page).not.toContain('value="123"');
    expect((await post(session.url!, VALID)).status).toBe(303);
  });

  it('marks each invalid field', async () => {
    const session = await shop.checkout();
    const { status, page } = await post(session.url!, { card_number: '42', expiry: '13/30' });
    expect(status).toBe(400);
    for (const wrong of ['card_number', 'expiry', 'cvc', 'name']) {
      expect(page).toContain(`id="${wrong}-wrong"`);
    }
  });

  it('returns 4xx for a malformed form', async () => {
    const { url } = await shop.checkout();
    const body = 'card_number=%E0%A4%A';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetch(url!, { method: 'POST', headers, body })).status).toBe(400);
    const json = { 'content-type': 'application/json' };
    expect((await fetch(url!, { method: 'POST', headers: json, body: '{}' })).status).toBe(415);
  });

  it('asks for the email address only if the session has none', async () => {
    const known = await load((await shop.checkout()).url!);
    expect(known).not.toContain('>Email</label>');
    const session = await shop.checkout({ customer: undefined as never });
    expect(await load(session.url!)).toContain('>Email</label>');
    expect((await post(session.url!, VALID)).status).toBe(400);
    expect((await post(session.url!, { ...VALID, email: 'eve@example.com' })).status).toBe(303);
    const done = await shop.stripe.checkout.sessions.retrieve(session.id);
    expect(done.customer_details?.email).toBe('eve@example.com');
  });

  it('escapes input from shops and buyers', async () => {
    const session = await shop.checkout({ cancel_url: 'http://shop.example/"><script>' });
    const { page } = await post(session.url!, { ...VALID, cvc: '', name: '<b>Bob</b>' });
    expect(page).not.toContain('<b>Bob');
    expect(page).not.toContain('"><script>');
  });

  it('redirects to the shop once a failed webhook is retried', async () => {
    let answered = 500;
    shop.test.receiver.answer = () => answered;
    const session = await shop.checkout();
    const completing = post(session.url!, VALID);
    await eventually(() => shop.hookTypes(session.id).length > 1, { what: 'a second attempt' });
    answered = 200;
    expect((await completing).status).toBe(303);
    shop.test.receiver.answer = () => 200;
  });
});

it("a trial's events arrive in the documented order, in product time", async () => {
  await shop.advance(40 * DAY);
  const before = shop.now();
  const { customer } = await shop.subscriber();
  const events = await shop.stripe.events.list({ limit: 12, created: { gte: before } });
  expect(events.data.map((event) => event.type).reverse()).toEqual([
    'customer.created',
    'payment_method.attached',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.created',
    'checkout.session.completed',
    'customer.subscription.trial_will_end',
  ]);
  expect(events.data.every((event) => event.created >= before)).toBe(true);
  expect(customer).toMatch(/^cus_/);
});
