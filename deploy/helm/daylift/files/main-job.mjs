// `helm test`: checks that every part is ready and serves pages. With the sandbox also the main flow, from signup to
// the first text; without it nothing is signed up, sent or charged.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const {
  PRODUCT: product,
  ORIGIN: origin = product,
  ADMIN_ORIGIN: adminOrigin = origin,
  SANDBOX: sandbox,
} = process.env;

// Calls the gateway inside the cluster with the public host name. fetch can't set the host.
async function call(url, body, host = url.startsWith(product) ? new URL(origin).host : undefined) {
  const answer = await new Promise((resolve, reject) => {
    const headers = { accept: '*/*', ...(body && { 'content-type': 'application/json' }) };
    const method = body ? 'POST' : 'GET';
    request(url, {
      method,
      headers: { ...headers, ...(host && { host }) },
      signal: AbortSignal.timeout(120_000),
    })
      .on('response', resolve)
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });
  const content = await text(answer);
  if (answer.statusCode >= 400)
    throw new Error(`${url} answered ${answer.statusCode}: ${content.slice(0, 300)}`);
  return answer.headers['content-type']?.includes('json') ? JSON.parse(content) : content;
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
for (const path of ['/', '/api/faqs']) await call(`${product}${path}`);
await call(`${product}/admin/login`, undefined, new URL(adminOrigin).host);
say('the pages of subscribers and operators and the API answer');

if (sandbox) {
  // A new person for each run, because a number and an email get one trial.
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
  say('a visitor signed up and paid');
  const received = () => call(`${sandbox}/sandbox/messages?to=${encodeURIComponent(phone)}`);
  await eventually('the welcome', async () => (await received()).length === 1);
  say('was welcomed');
  // At midnight, the first text is 31 hours away. Just before it, there can be two by then.
  await call(`${sandbox}/sandbox/clock`, { advance_hours: 32 });
  const [, daily] = await eventually('the text of the day', async () => {
    const texts = await received();
    return texts.length >= 2 && texts;
  });
  say(`and got the text of the day: ${daily.text}`);
}
say('passed');
