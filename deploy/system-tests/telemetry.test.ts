import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@daylift/testing/eventually';
import { figuresOf } from '@daylift/testing/metrics';
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '@daylift/testing/trace-collector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '../local/secrets.ts';
import { drawTrace } from './draw-trace.ts';
import type { Signup } from './product-client.ts';
import { startTestStack, type TestStack } from './stack-for-test.ts';

const person = {
  name: 'Zebulon Quackenbush',
  email: 'zebulon.quackenbush@example.com',
  phone: '+14155557319',
  password: 'canary-Pa55-phrase',
  timezone: 'America/New_York',
  delivery_time: '09:00',
  sms_consent: true,
} satisfies Signup;

/** From due to sent; each is the child of the one before. */
const steps = [
  ['scheduler', 'release texts'],
  ['scheduler', 'publish scheduler.dispatches.released'],
  ['sms-gateway', 'process scheduler.dispatches.released'],
  ['sms-worker', 'process sms-texts'],
  ['sms-worker', 'send text'],
  ['sms-worker', 'provider call'],
] as const;

let collector: TraceCollector;
let running: TestStack;
let spans: CollectedSpan[];

/** Sends a subscriber's first daily text and its receipts, with a trace collector. */
beforeAll(async () => {
  collector = await startTraceCollector();
  running = await startTestStack({
    CLOCK_START: '2027-04-05T15:20:00Z',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const { product } = running;
  const id = await product.signUp(person);
  await product.pay(await product.openCheckout(id));
  await product.settle();
  await product.advanceTo(new Date('2027-04-06T13:05:00Z'), 12);
  await eventually(async () => (await product.texts(person.phone)).length === 2);
  spans = await eventually(
    () => {
      const all = collector.spans();
      // Processes export their spans every few seconds, in any order.
      const settled = ['publish sms.texts.settled', 'process sms.texts.settled'];
      const whole = [...steps.map(([, name]) => name), ...settled];
      // An hour can be released in several runs, and only one of them has the text.
      return all
        .filter(({ name }) => name === 'release texts')
        .map((release) => all.filter(({ trace_id }) => trace_id === release.trace_id))
        .find((spans) => {
          const receipts = spans.filter(({ name }) => name === 'receive receipt');
          return receipts.length >= 2 && whole.every((name) => named(spans, name));
        });
    },
    { within: 30_000, what: 'the trace of the text' },
  );
}, 240_000);
afterAll(async () => {
  await running?.stop();
  collector?.close();
});

const named = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name);

test('one trace leads from a due text to its receipt, through every process involved', () => {
  for (const [index, [service, name]] of steps.entries()) {
    const span = named(spans, name);
    expect(span, name).toMatchObject({ service, failed: false });
    const before = steps[index - 1];
    const parent = before === undefined ? null : named(spans, before[1])?.span_id;
    expect(span?.parent_id, name).toBe(parent);
  }
  expect(named(spans, 'process sms.texts.settled')?.service).toBe('scheduler');
});

/** The handbook's picture; `TRACE_PICTURE=yes` updates it. */
const picture = new URL('../runbooks/trace-of-a-text.svg', import.meta.url);

test('the whole trace can be drawn, with a row per span', async () => {
  const drawn = drawTrace('One text, from due to delivered', spans);
  for (const { name } of spans) expect(drawn).toContain(`>${name}`);
  if (process.env.TRACE_PICTURE !== undefined) await writeFile(picture, drawn);
});

test('a receipt is in the trace of its text, and linked to the webhook call', async () => {
  const receipts = spans.filter(({ name }) => name === 'receive receipt');
  expect(receipts.map(({ attributes }) => attributes['daylift.receipt']).toSorted()).toEqual([
    'delivered',
    'sent',
  ]);
  for (const { service, links } of receipts) {
    expect(service).toBe('sms-gateway');
    const call = await eventually(() =>
      collector.spans().find(({ trace_id }) => trace_id === links[0]),
    );
    expect(`${call.service} ${call.name}`).toBe('gateway POST /api/webhooks/telnyx/:dispatch');
  }
});

test("a request's log lines have its trace id", async () => {
  const log = await readFile(join(running.stack.layout.logs, 'gateway.log'), 'utf8');
  const lines = log
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines)
    expect(line).toMatchObject({
      request_id: expect.any(String),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
});

const figures = async (): Promise<string> => {
  const responses = running.stack
    .processes()
    .filter(({ port, name }) => port > 0 && !['postgres', 'redis', 'nats'].includes(name))
    .map(async ({ opsPort }) => (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text());
  return (await Promise.all(responses)).join('\n');
};

test('the metrics of all processes count this text once', async () => {
  const figure = figuresOf(await figures());
  // The worker counts the response of a send, unless sms-gateway has the receipt before.
  const sum = (name: string) =>
    ['scheduler', 'sms-worker', 'sms-gateway']
      .map((process) => figure(name, { process, kind: 'daily' }) ?? 0)
      .reduce((all, one) => all + one, 0);
  for (const name of [
    'sms_texts_due_total',
    'sms_texts_sent_total',
    'sms_texts_delivered_total',
    'sms_text_lateness_seconds_count',
  ])
    expect(sum(name), name).toBe(1);
  expect(figure('sms_queue_depth', { process: 'sms-gateway' })).toBe(0);
  expect(figure('sms_texts_overdue', { process: 'scheduler' })).toBe(0);
});

test('no trace or metric contains a number, name, address, text or secret', async () => {
  const {
    role_passwords,
    nats_passwords,
    identity_keys,
    admin_username: _,
    ...secrets
  } = loadSecrets(running.stack.layout.secrets, {});
  const words = [
    'Zebulon',
    'Quackenbush',
    person.email,
    person.phone.slice(1),
    person.password,
    'Good morning',
    ...Object.values(secrets),
    ...Object.values(role_passwords),
    ...Object.values(nats_passwords),
    ...Object.values(identity_keys).map((pair) => pair.private),
  ];
  const traces = collector.raw();
  const all = await figures();
  for (const word of words) {
    expect(traces.includes(word), `a trace holds ${word.slice(0, 12)}`).toBe(false);
    expect(all.includes(word), `a figure holds ${word.slice(0, 12)}`).toBe(false);
  }
  // Ids of texts are allowed, queries aren't.
  expect(traces).not.toMatch(/\?[a-z_]+=/);
});
