// `helm test`: every part is ready and the pages are there. With the sandbox also the main job, from the sign-up to the
// text on the phone; without it nothing is signed up, sent or charged.
import { setTimeout as delay } from 'node:timers/promises';

const { PRODUCT: product, ORIGIN: origin = product, SANDBOX: sandbox } = process.env;

async function call(url, body) {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { accept: '*/*', ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
  return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

async function eventually(what, find) {
  for (let tries = 0; tries < 60; tries += 1) {
    const found = await find();
    if (found) return found;
    await delay(500);
  }
  throw new Error(`Waited 30 s in vain: ${what}`);
}

const say = (line) => console.log(line);

await call(`${product}/readyz`);
say('every part is ready');
for (const path of ['/', '/admin/login', '/api/faqs']) await call(`${product}${path}`);
say('the pages of subscribers and operators and the API answer');

if (sandbox) {
  // Another person at every run: one number and one address have one trial.
  const run = Date.now();
  const phone = `+1415555${String(run % 10_000).padStart(4, '0')}`;
  const email = `helm-test-${run}@example.com`;
  const password = `good morning ${run}`;
  const { id } = await call(`${product}/api/subscriptions`, {
    name: 'Helm Test',
    email,
    phone,
    password,
    timezone: 'America/New_York',
    delivery_time: '07:00',
    sms_consent: true,
  });
  const { session_id } = await call(`${product}/api/payments/create-checkout`, {
    subscription_id: id,
    plan: 'monthly',
    origin_url: origin,
  });
  await call(`${sandbox}/sandbox/checkout/${session_id}/complete`, { card: '4242424242424242' });
  const { payment_status } = await call(`${product}/api/payments/status/${session_id}`);
  if (payment_status !== 'paid') throw new Error(`The payment is ${payment_status}.`);
  say('somebody signed up and paid');
  const received = () => call(`${sandbox}/sandbox/messages?to=${encodeURIComponent(phone)}`);
  await eventually('the welcome', async () => (await received()).length === 1);
  say('was welcomed');
  await call(`${sandbox}/sandbox/clock`, { advance_hours: 30 });
  const [, text] = await eventually('the text of the day', async () => {
    const texts = await received();
    return texts.length === 2 && texts;
  });
  say(`and got the text of the day: ${text.text}`);
}
say('passed');
