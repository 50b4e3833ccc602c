import { randomUUID } from 'node:crypto';
import type { SignupResponse } from '@daylift/contracts/accounts.http';
import type {
  AdminSubscriber,
  DayAnswer,
  Timeline,
  TimelineEntry,
} from '@daylift/contracts/timeline.http';
import type {
  BillingPart,
  PlannedText,
  Schedule,
  SentText,
  Standing,
  SubscriptionSnapshot,
} from '@daylift/contracts/timeline-parts.http';
import { Unavailable } from '@daylift/server/error';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aSubscriber, setUser } from '../../test/factories.ts';
import { asAdmin, asService, asUser, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
let user: SignupResponse;
/** Data of other services about the test's subscriber. */
let planned: PlannedText[];
let sent: SentText[];
let replies: { id: string; content: string; meaning: string; received_at: string }[];
let billing: BillingPart;
let schedule: Schedule;
let standing: Standing;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  // A Thursday in Chicago, four days before the date most tests use.
  harness.clock.set('2027-03-04T15:00:00Z');
  user = await aSubscriber(harness);
  harness.clock.set('2027-03-10T18:00:00Z');
  planned = [];
  sent = [];
  replies = [];
  billing = { changes: [], invoices: [], refunds: [], credits: [] };
  schedule = {
    next_text_at: '2027-03-11T15:00:00.000Z',
    local_date: '2027-03-11',
    timezone: 'America/Chicago',
    why_none: null,
    first_local_date: '2027-03-05',
  };
  standing = { known: true, subscription: aSubscription() };
  harness.parts.scheduler = async (path) => (path.includes('/schedule/') ? schedule : { planned });
  harness.parts.smsGateway = async (path) =>
    path.includes('/opt-out/') ? { last: null } : { texts: sent, replies };
  harness.parts.billing = async (path) => (path.includes('/standing/') ? standing : billing);
});

const aSubscription = (change: Partial<SubscriptionSnapshot> = {}): SubscriptionSnapshot => ({
  version: 1,
  changed_at: '2027-03-04T15:05:00.000Z',
  actor: 'subscriber',
  status: 'active',
  plan: 'monthly',
  trial_end: null,
  current_period_end: '2027-04-04T15:00:00.000Z',
  cancel_at_period_end: false,
  entitled: true,
  entitled_until: null,
  entitled_since: '2027-03-04T15:05:00.000Z',
  ...change,
});
const aPlan = (change: Partial<PlannedText> = {}): PlannedText => ({
  id: '20270308-00000000000000000000000000000001',
  local_date: '2027-03-08',
  kind: 'daily',
  state: 'accepted',
  reason: null,
  due_at: '2027-03-08T15:00:00.000Z',
  timezone: 'America/Chicago',
  delivery_hour: 9,
  frequency: 'daily',
  is_staff_send: false,
  is_test: false,
  message_title: 'A kind word',
  from_library: false,
  batch: { name: 'Daily texts', kind: 'scheduled' },
  released_at: '2027-03-08T15:00:01.000Z',
  settled_at: null,
  ...change,
});
const aText = (change: Partial<SentText> = {}): SentText => ({
  id: '20270308-00000000000000000000000000000001',
  local_date: '2027-03-08',
  kind: 'daily',
  state: 'delivered',
  reason: null,
  error_code: null,
  content: 'Good morning, Ada.',
  is_test: false,
  batch: { name: 'Daily texts', kind: 'scheduled' },
  due_at: '2027-03-08T15:00:00.000Z',
  queued_at: '2027-03-08T15:00:01.000Z',
  attempts: 1,
  handed_at: '2027-03-08T15:00:02.000Z',
  settled_at: '2027-03-08T15:00:03.000Z',
  finalized_at: '2027-03-08T15:00:09.000Z',
  parts: 1,
  cost: '0.0040',
  currency: 'USD',
  receipts: [
    { status: 'sent', error_code: null, occurred_at: '2027-03-08T15:00:04.000Z' },
    { status: 'delivered', error_code: null, occurred_at: '2027-03-08T15:00:08.000Z' },
  ],
  ...change,
});

const get = (path: string, role: 'viewer' | 'operator' | 'owner' = 'operator') =>
  harness.call({ url: `/admin/users/${user.id}${path}`, as: asAdmin(role) });
const timeline = async (query = '', role: 'viewer' | 'operator' = 'operator') =>
  (await get(`/timeline${query}`, role)).json<Timeline>();
const day = async (date = '2027-03-08') => (await get(`/days/${date}`)).json<DayAnswer>();
const down = async () => {
  throw new Unavailable('It cannot answer.');
};

describe('GET /admin/users/:id', () => {
  it('returns the person, their settings and consent', async () => {
    const response = (await get('')).json<AdminSubscriber>();
    expect(response).toMatchObject({
      id: user.id,
      name: 'Ada Lovelace',
      phone: user.phone,
      subscription_status: 'trial',
      today: '2027-03-10',
      paused_until: null,
      referral_count: 0,
      referred_by: null,
      consents: [
        {
          source: 'signup',
          wording_version: 'signup-1',
          given_at: '2027-03-04T15:00:00.000Z',
          for_present_number: true,
          ip: '127.0.0.1',
        },
      ],
      last_opt_out: null,
      next_text_at: '2027-03-11T15:00:00.000Z',
      why_no_next_text: null,
      history_since: '2027-03-04T15:00:00.000Z',
      missing: [],
    });
  });

  it('masks number, address and browser for viewers', async () => {
    const response = await get('', 'viewer');
    expect(response.body).not.toContain(user.phone);
    expect(response.body).not.toContain(user.email);
    expect(response.json<AdminSubscriber>().consents).toMatchObject([
      { ip: null, user_agent: null },
    ]);
  });

  it('explains why no text is planned, also while other services are unavailable', async () => {
    schedule = { ...schedule, next_text_at: null, local_date: null, why_none: 'paused' };
    expect((await get('')).json<AdminSubscriber>()).toMatchObject({
      next_text_at: null,
      why_no_next_text: 'Texts paused by the subscriber.',
    });
    harness.parts.scheduler = down;
    harness.parts.smsGateway = down;
    const response = (await get('')).json<AdminSubscriber>();
    expect(response).toMatchObject({ name: 'Ada Lovelace', why_no_next_text: null });
    expect(response.missing.sort()).toEqual(['schedule', 'texts']);
  });

  it('is audited once per hour and admin', async () => {
    const views = async () =>
      (
        await harness.deps.db
          .selectFrom('audit_log')
          .select(['actor_username', 'action'])
          .where('target', '=', user.id)
          .execute()
      ).length;
    const admin = asAdmin('viewer');
    const view = () => harness.call({ url: `/admin/users/${user.id}`, as: admin });
    await Promise.all([view(), view(), view()]);
    expect(await views()).toBe(1);
    harness.clock.advance({ hours: 2 });
    await view();
    await get('');
    expect(await views()).toBe(3);
  });
});

describe('GET /admin/users/:id/timeline', () => {
  it("merges a text's plan to its receipt into one entry", async () => {
    planned = [aPlan()];
    sent = [aText()];
    const { entries, timezone } = await timeline('?kinds=texts');
    expect(timezone).toBe('America/Chicago');
    expect(entries).toEqual([
      {
        id: 'text:20270308-00000000000000000000000000000001',
        kind: 'texts',
        at: '2027-03-08T15:00:00.000Z',
        local_date: '2027-03-08',
        tone: 'good',
        title: 'Daily text delivered',
        detail: null,
        quote: 'Good morning, Ada.',
        by: null,
        steps: [
          {
            at: '2027-03-08T15:00:00.000Z',
            what: 'Due at their hour, 9:00 AM, with “A kind word”',
          },
          {
            at: '2027-03-08T15:00:01.000Z',
            what: 'Queued in batch “Daily texts”',
          },
          { at: '2027-03-08T15:00:02.000Z', what: 'Sent to the provider' },
          { at: '2027-03-08T15:00:04.000Z', what: 'Sent to the carrier' },
          { at: '2027-03-08T15:00:08.000Z', what: 'Delivered to the phone' },
        ],
      },
    ]);
  });

  it('says why a text was chosen: from the library, or for the day of the subscriber', async () => {
    sent = [];
    const explain = async (change: Partial<PlannedText>) => {
      planned = [aPlan({ message_title: null, ...change })];
      return (await timeline('?kinds=texts')).entries[0]?.steps[0]?.what;
    };
    expect(await explain({ from_library: true, sequence_day: null })).toBe(
      'Due at their hour, 9:00 AM, from the library',
    );
    expect(await explain({ sequence_day: 7 })).toBe(
      'Due at their hour, 9:00 AM, the text for day 7',
    );
  });

  it('merges all services in order, with the actor', async () => {
    planned = [aPlan({ state: 'skipped', reason: 'paused', due_at: '2027-03-07T15:00:00.000Z' })];
    replies = [
      { id: 'r1', content: 'STOP', meaning: 'stop', received_at: '2027-03-08T16:00:00.000Z' },
    ];
    billing = {
      changes: [
        {
          after: aSubscription({ version: 2, changed_at: '2027-03-06T10:00:00.000Z' }),
          before: aSubscription({ status: 'trial' }),
        },
      ],
      invoices: [
        {
          ...{ id: 'in_1', amount_cents: 499, currency: 'usd', status: 'paid', attempts: 1 },
          ...{ created_at: '2027-03-06T10:00:00.000Z', paid_at: '2027-03-06T11:00:00.000Z' },
        },
      ],
      refunds: [
        {
          ...{ id: 're_1', amount_cents: 100, currency: 'usd', status: 'succeeded' },
          created_at: '2027-03-09T10:00:00.000Z',
          staff: { admin: 'olive', reason: 'Texts came late' },
        },
      ],
      staff_actions: [
        {
          ...{ id: randomUUID(), kind: 'free_days', state: 'done', amount_cents: null, days: 7 },
          ...{ until: '2027-04-11T15:00:00.000Z', reason: 'An outage', admin: 'olive' },
          ...{ currency: 'usd', error: null, at: '2027-03-09T11:00:00.000Z' },
        },
        {
          ...{ id: randomUUID(), kind: 'refund', state: 'failed', amount_cents: 499, days: null },
          ...{ until: null, reason: 'An outage', admin: 'olive', currency: 'usd' },
          ...{ error: 'This payment is disputed.', at: '2027-03-09T10:30:00.000Z' },
        },
      ],
      credits: [
        {
          ...{ id: randomUUID(), amount_cents: 125, currency: 'usd', outcome: 'earned' },
          paid_at: '2027-03-05T10:00:00.000Z',
        },
      ],
      lost_days: [
        {
          ...{ local_date: '2027-03-02', outcome: 'missed', reason: 'frozen', currency: 'usd' },
          ...{ decision: 'credited', credit_cents: 17, settled_at: '2027-03-06T12:00:00.000Z' },
        },
        {
          ...{ local_date: '2027-03-01', outcome: 'unknown', reason: null, currency: 'usd' },
          ...{ decision: 'trial', credit_cents: 0, settled_at: '2027-03-05T12:00:00.000Z' },
        },
      ],
    };
    await harness.call({
      method: 'PUT',
      url: '/users/me',
      as: asUser(user.id),
      body: { delivery_time: '07:00' },
    });
    const { entries } = await timeline();
    expect(entries.map((one) => [one.kind, one.title, one.by])).toEqual([
      [
        'changes',
        'Delivery time changed from 9:00 AM to 7:00 AM',
        'by the subscriber, on the website',
      ],
      ['payments', '7 days of free texts, until Apr 11, 2027', 'by olive'],
      ['payments', 'Refund of $4.99 (failed)', 'by olive'],
      ['payments', 'Refunded $1.00', 'by olive'],
      ['replies', 'Replied STOP', 'by the subscriber, by text'],
      ['decisions', 'Daily text not sent', null],
      ['payments', 'Credited $0.17 for Mar 2, 2027, a day without a text', null],
      ['changes', 'Paid period started', 'by the subscriber, on the website'],
      ['payments', 'Paid $4.99', null],
      ['payments', 'No credit for Mar 1, 2027, a day without a text', null],
      ['payments', 'Earned $1.25 referral credit', null],
      ['changes', 'Account created', null],
    ]);
    expect(entries.slice(1, 4).map((one) => one.detail)).toEqual([
      'Reason: An outage',
      'This payment is disputed. Reason: An outage',
      'Reason: Texts came late',
    ]);
    const some = await timeline('?kinds=payments,replies');
    expect(new Set(some.entries.map((one) => one.kind))).toEqual(new Set(['payments', 'replies']));
  });

  it('shows until when a gift gives free texts, and that its payment was returned', async () => {
    const gift = { id: randomUUID(), months: 3, until: '2027-03-08T16:00:00.000Z' };
    const [at, earlier] = ['2027-03-02T16:00:00.000Z', '2027-03-01T16:00:00.000Z'];
    const gifts = [
      { ...gift, at },
      { ...gift, id: randomUUID(), at: earlier, returned: true as const },
    ];
    billing = { ...billing, gifts };
    const { entries } = await timeline('?kinds=payments');
    expect(entries.map(({ detail, tone }) => [detail, tone])).toEqual([
      ['Free texts until Mar 8, 2027.', 'good'],
      ['Free texts only until Mar 8, 2027: its payment was refunded or disputed.', 'bad'],
    ]);
  });

  it('pages without gaps or repetitions, also at the same instant', async () => {
    const at = '2027-03-08T16:00:00.000Z';
    const all = Array.from({ length: 30 }, (_, n) => ({
      id: `r${String(n).padStart(2, '0')}`,
      content: `Reply ${n}`,
      meaning: 'other',
      received_at: n < 15 ? at : new Date(Date.parse(at) - n * 60_000).toISOString(),
    }));
    harness.parts.smsGateway = async (path) => {
      const query = new URL(path, 'http://sms.test').searchParams;
      const until = query.get('until') ?? '2028';
      const found = all
        .filter((one) => one.received_at <= until)
        .sort((one, other) => (one.received_at + one.id < other.received_at + other.id ? 1 : -1));
      return { texts: [], replies: found.slice(0, Number(query.get('limit'))) };
    };
    const seen: TimelineEntry[] = [];
    let next: string | null = '';
    while (next !== null) {
      const before: string = next === '' ? '' : `&before=${encodeURIComponent(next)}`;
      const page: Timeline = await timeline(`?limit=7&kinds=replies${before}`);
      seen.push(...page.entries);
      next = page.next;
    }
    expect(seen.map((one) => one.quote).sort()).toEqual(all.map((one) => one.content).sort());
    expect(new Set(seen.map((one) => one.id)).size).toBe(30);
  });

  it.each([
    ['scheduler', 'schedule'],
    ['smsGateway', 'texts'],
    ['billing', 'billing'],
  ] as const)('reports that %s is unavailable, and returns the rest', async (service, part) => {
    planned = [aPlan()];
    sent = [aText()];
    harness.parts[service] = down;
    const { entries, missing } = await timeline();
    expect(missing).toEqual([part]);
    expect(entries.map((one) => one.kind)).toEqual(['texts', 'changes']);
  });

  it('shows a text reply once, although the inbox has it too, and what staff answered by email', async () => {
    const { db } = harness.deps;
    const at = new Date('2027-03-08T16:00:00Z');
    const person = { user_id: user.id, name: user.name, email: user.email, subject: 'Later?' };
    for (const kind of ['reply', 'support'] as const) {
      const id = randomUUID();
      const conversation = { ...person, id, kind, phone: null, by_text: kind === 'reply' };
      await db
        .insertInto('conversations')
        .values({ ...conversation, last_at: at })
        .execute();
      await db
        .insertInto('letters')
        .values({
          ...{ ...person, id, kind, conversation_id: id, created_at: at, address_hash: null },
          message: `By ${kind}`,
          inbound_id: kind === 'reply' ? 'r1' : null,
        })
        .execute();
    }
    const received_at = at.toISOString();
    const { id } = await db
      .selectFrom('conversations')
      .select('id')
      .where('user_id', '=', user.id)
      .where('kind', '=', 'support')
      .executeTakeFirstOrThrow();
    const admin = { admin_id: randomUUID(), admin_username: 'nina' };
    for (const sent_by of ['email', 'text'] as const)
      await db
        .insertInto('answers')
        .values({
          ...{ id: randomUUID(), conversation_id: id, sent_by, ...admin, created_at: at },
          message: `Staff by ${sent_by}`,
        })
        .execute();
    replies = [{ id: 'r1', content: 'By reply', meaning: 'other', received_at }];
    const listed = (await timeline('?kinds=replies')).entries;
    expect(listed.map((one) => one.quote).sort()).toEqual([
      'By reply',
      'By support',
      'Staff by email',
    ]);
    expect(listed.find((one) => one.quote === 'Staff by email')).toMatchObject({
      title: 'Staff reply emailed',
      by: 'by nina',
    });
    const ofDay = (await day()).entries.filter((one) => one.kind === 'replies');
    expect(ofDay).toHaveLength(3);
  });

  it('masks contacts in staff replies by text for viewers, but not in daily texts', async () => {
    const content = 'We wrote to ada@example.com';
    const quote = async (kind: 'answer' | 'daily', role: 'viewer' | 'operator') => {
      sent = [aText({ kind, content })];
      return (await timeline('?kinds=texts', role)).entries[0]?.quote;
    };
    expect(await quote('answer', 'operator')).toBe(content);
    expect(await quote('answer', 'viewer')).toBe('We wrote to •••');
    expect(await quote('daily', 'viewer')).toBe(content);
  });

  it('masks numbers in messages for viewers', async () => {
    const content = 'Call me at (312) 555-0199, or 09:00 on day 5';
    replies = [{ id: 'r1', content, meaning: 'other', received_at: '2027-03-08T16:00:00.000Z' }];
    expect((await timeline('?kinds=replies')).entries[0]?.quote).toBe(content);
    expect((await timeline('?kinds=replies', 'viewer')).entries[0]?.quote).toBe(
      'Call me at (•••, or 09:00 on day 5',
    );
  });

  it.each([
    'limit=0',
    'limit=101',
    'kinds=all',
    'kinds=texts,',
    'before=yesterday',
    "before=2027-03-08T15:00:00Z~text:1'--",
  ])('rejects ?%s', async (query) =>
    expect((await get(`/timeline?${query}`)).statusCode).toBe(400),
  );
});

describe('GET /admin/users/:id/days/:date', () => {
  const states: [string, Partial<SentText>, DayAnswer['verdict'], RegExp][] = [
    ['delivered', {}, 'got_it', /^Yes: it was delivered at 9:00 AM\.$/],
    ['sent', { receipts: [] }, 'got_it', /^Probably: it was sent at 9:00 AM/],
    ['failed', { reason: 'carrier_40008' }, 'did_not', /sent at 9:00 AM but not delivered/],
    ['refused', { reason: 'provider_40310', handed_at: null }, 'did_not', /provider rejected it/],
    ['unknown', { reason: 'worker_lost' }, 'not_known', /isn't retried/],
    ['skipped', { reason: 'opted_out', handed_at: null }, 'did_not', /due at 9:00 AM but was not/],
    [
      'missed',
      { reason: 'windows_closed', handed_at: null },
      'did_not',
      /couldn't be sent in time/,
    ],
    ['superseded', { reason: 'settings_changed', handed_at: null }, 'did_not', /was canceled/],
    ['queued', { reason: 'http_503', handed_at: null }, 'to_come', /In progress/],
    ['inflight', {}, 'to_come', /In progress/],
  ];
  it.each(states)('explains a text that is %s', async (state, more, verdict, words) => {
    planned = [aPlan({ state: 'released' })];
    sent = [aText({ state, ...more })];
    const response = await day();
    expect(response).toMatchObject({ verdict, answer: expect.stringMatching(words) });
    if (more.reason !== undefined && more.reason !== null)
      expect(response.because[0]).toMatch(/\.(\)| \(Error|$)/);
  });

  it.each([
    ['planned', { due_at: '2027-03-10T19:00:00.000Z' }, 'to_come', /scheduled for 1:00 PM/],
    ['planned', { due_at: '2027-03-10T17:00:00.000Z' }, 'to_come', /hasn't been queued/],
    ['released', {}, 'to_come', /In progress/],
    ['skipped', { reason: 'no_consent' }, 'did_not', /was not sent/],
    ['missed', { reason: 'no content' }, 'did_not', /couldn't be sent in time/],
  ] as const)('explains a plan that is %s (%o)', async (state, more, verdict, words) => {
    planned = [aPlan({ state, ...more })];
    expect(await day()).toMatchObject({ verdict, answer: expect.stringMatching(words) });
  });

  it('explains that it went to the test number', async () => {
    sent = [aText({ is_test: true })];
    expect(await day()).toMatchObject({
      verdict: 'did_not',
      answer: 'No: testing mode was on, so their text went to the test number.',
    });
  });

  it('names the change behind a reason, with its time and author, and no later one', async () => {
    const put = (body: object) =>
      harness.call({ method: 'PUT', url: '/users/me', as: asUser(user.id), body });
    harness.clock.set('2027-03-07T20:00:00Z');
    await put({ paused_until: '2027-03-09' });
    harness.clock.set('2027-03-09T20:00:00Z');
    await put({ paused_until: '2027-03-20', delivery_time: '06:00' });
    planned = [aPlan({ state: 'skipped', reason: 'paused' })];
    const response = await day();
    expect(response.because).toEqual([
      'Texts paused by the subscriber.',
      'Texts paused until Mar 9, 2027 by the subscriber, on the website on Mar 7, 2027 at 2:00 PM.',
    ]);
    expect(response.facts_then).toEqual(
      expect.arrayContaining([
        { label: 'Delivery time', value: '9:00 AM, America/Chicago' },
        { label: 'Pause', value: 'Until Mar 9, 2027' },
        { label: 'Subscription', value: 'Paid, monthly until Apr 4, 2027' },
      ]),
    );
  });

  it('names a change that came after the due time, but before the text was decided', async () => {
    const put = (body: object) =>
      harness.call({ method: 'PUT', url: '/users/me', as: asUser(user.id), body });
    harness.clock.set('2027-03-06T20:00:00Z');
    await put({ paused_until: '2027-03-20' });
    harness.clock.set('2027-03-07T20:00:00Z');
    await put({ paused_until: null });
    harness.clock.set('2027-03-08T15:20:00Z');
    await put({ paused_until: '2027-03-12' });
    planned = [aPlan({ state: 'skipped', reason: 'paused' })];
    sent = [
      aText({
        ...{ state: 'skipped', reason: 'paused', handed_at: null, finalized_at: null },
        ...{ settled_at: '2027-03-08T15:21:00.000Z', receipts: [] },
      }),
    ];
    const response = await day();
    expect(response.because).toEqual([
      'Texts paused by the subscriber.',
      'Texts paused until Mar 12, 2027 by the subscriber, on the website on Mar 8, 2027 at 9:20 AM.',
    ]);
    expect(response.facts_then).toContainEqual({ label: 'Pause', value: 'Until Mar 12, 2027' });
    const own = await harness.call({ url: '/users/me/days/2027-03-08', as: asUser(user.id) });
    expect(own.json()).toMatchObject({
      explanation: 'No text on Mar 8, 2027: you paused until Mar 12, 2027.',
    });
  });

  it('explains that they had not signed up yet', async () => {
    expect(await day('2027-03-03')).toMatchObject({
      verdict: 'did_not',
      answer: "No: they hadn't signed up yet.",
      facts_then: [],
    });
  });

  it('explains the first day', async () => {
    expect(await day('2027-03-04')).toMatchObject({
      verdict: 'did_not',
      answer: 'No: the first text comes the day after the subscription starts.',
    });
  });

  it('does not alarm on the first day itself', async () => {
    harness.clock.set('2027-03-04T20:00:00Z');
    expect(await day('2027-03-04')).toMatchObject({
      verdict: 'to_come',
      answer: 'Not yet: the first text comes the day after the subscription starts.',
    });
  });

  it('explains the first day for a signup after the chosen hour', async () => {
    harness.parts.billing = async (path) => {
      if (!path.includes('/standing/')) return billing;
      const at = new URL(path, 'http://billing.test').searchParams.get('at') ?? '';
      return at < '2027-03-04T15:05' ? { known: true, subscription: null } : standing;
    };
    const response = await day('2027-03-04');
    expect(response.answer).toBe('No: the first text comes the day after the subscription starts.');
    expect(response.facts_then[0]).toEqual({
      label: 'Delivery time',
      value: '9:00 AM, America/Chicago',
    });
  });

  it('explains a missing or ended subscription', async () => {
    standing = { known: true, subscription: null };
    expect((await day()).answer).toBe("No: they didn't have a subscription yet.");
    standing = {
      known: true,
      subscription: aSubscription({ status: 'expired', entitled: false }),
    };
    expect(await day()).toMatchObject({
      verdict: 'did_not',
      answer: 'No: they had no trial or paid subscription that day.',
    });
    standing = {
      known: true,
      subscription: aSubscription({ entitled_until: '2027-03-08T14:00:00.000Z' }),
    };
    expect((await day()).answer).toContain('no trial or paid subscription that day');
  });

  it('explains another weekday, with the settings of that day', async () => {
    await setUser(harness, user.id, { frequency: 'weekly', weekday: 2 });
    expect(await day()).toMatchObject({
      verdict: 'did_not',
      answer: "No: it wasn't their weekday.",
      because: ['They got weekly texts, on Tuesdays; Mar 8, 2027 was a Monday.'],
    });
    await harness.call({
      method: 'PUT',
      url: '/users/me',
      as: asUser(user.id),
      body: { delivery_frequency: 'daily' },
    });
    expect((await day()).answer).toBe("No: it wasn't their weekday.");
  });

  it('explains a pause by staff', async () => {
    await setUser(harness, user.id, { is_active: false });
    expect(await day()).toMatchObject({
      verdict: 'did_not',
      because: ['Account paused by staff.'],
    });
  });

  it("says what it doesn't know", async () => {
    expect(await day()).toMatchObject({ verdict: 'not_known' });
    standing = { known: false, subscription: null };
    expect(await day()).toMatchObject({
      verdict: 'not_known',
      answer: expect.stringContaining("their subscription at that time wasn't recorded"),
    });
    standing = { known: true, subscription: aSubscription() };
    await setUser(harness, user.id, { history_since: new Date('2027-03-09T00:00:00Z') });
    const response = await day();
    expect(response).toMatchObject({
      verdict: 'not_known',
      answer: expect.stringContaining("their settings at that time weren't recorded"),
    });
    expect(response.facts_then[0]?.value).toContain('Not recorded before Mar 8, 2027');
  });

  it('explains future days', async () => {
    expect(await day('2027-03-11')).toMatchObject({
      verdict: 'to_come',
      answer: 'Not yet: it is due at 9:00 AM.',
    });
    expect(await day('2027-03-20')).toMatchObject({
      verdict: 'to_come',
      because: ['The next text is on Mar 11, 2027 at 9:00 AM.'],
    });
    schedule = { ...schedule, next_text_at: null, local_date: null, why_none: 'opted_out' };
    expect(await day('2027-03-20')).toMatchObject({
      verdict: 'did_not',
      because: ['Opted out: no texts until they reply START.'],
    });
  });

  it('plans no texts after the end of a canceled subscription', async () => {
    standing = {
      known: true,
      subscription: aSubscription({
        cancel_at_period_end: true,
        entitled_until: '2027-03-20T14:00:00.000Z',
      }),
    };
    expect(await day('2027-03-19')).toMatchObject({ verdict: 'to_come' });
    expect(await day('2027-03-20')).toMatchObject({
      verdict: 'did_not',
      answer: 'No text is due that day.',
      because: [
        'Their texts end on Mar 20, 2027 at 9:00 AM.',
        'The next text is on Mar 11, 2027 at 9:00 AM.',
      ],
    });
    const own = await harness.call({ url: '/users/me/days/2027-03-21', as: asUser(user.id) });
    expect(own.json()).toMatchObject({
      explanation: 'No text is planned: your texts end on Mar 20, 2027 at 9:00 AM.',
    });
  });

  it('returns what is available when a service is down', async () => {
    harness.parts.scheduler = down;
    expect(await day()).toMatchObject({ verdict: 'not_known', missing: ['schedule'] });
    sent = [aText()];
    expect(await day()).toMatchObject({ verdict: 'got_it', missing: ['schedule'] });
    harness.parts.billing = down;
    sent = [];
    harness.parts.scheduler = async (path) =>
      path.includes('/schedule/') ? schedule : { planned: [] };
    expect(await day()).toMatchObject({ verdict: 'not_known', missing: ['billing'] });
  });

  it.each(['2027-02-30', 'today', '2027-3-8', '0000-01-01', '99999-01-01'])(
    'rejects the date %s',
    async (date) => expect((await get(`/days/${date}`)).statusCode).toBe(400),
  );
});

describe('GET /users/me/days/:date', () => {
  const explain = async (date = '2027-03-08', as = asUser(user.id)) =>
    harness.call({ url: `/users/me/days/${date}`, as });
  const explanation = async (date?: string) => (await explain(date)).json().explanation;

  it.each([
    ['delivered', {}, 'Your text was sent at 9:00 AM and delivered.'],
    ['failed', {}, "Your text was sent at 9:00 AM, but your carrier didn't deliver it."],
    ['missed', { reason: 'frozen' }, "No text on Mar 8, 2027: we couldn't send it in time."],
    [
      'refused',
      { reason: 'provider_40001' },
      "No text on Mar 8, 2027: your number can't receive our texts.",
    ],
    [
      'refused',
      { reason: 'provider_40322' },
      'No text on Mar 8, 2027: our text provider rejected it.',
    ],
    [
      'skipped',
      { reason: 'no_consent' },
      "No text on Mar 8, 2027: we hadn't received your YES yet.",
    ],
    [
      'skipped',
      { reason: 'discarded' },
      'No text on Mar 8, 2027: something went wrong on our side.',
    ],
  ] as const)('explains a text that is %s (%o)', async (state, more, words) => {
    planned = [aPlan({ state: 'released' })];
    sent = [aText({ state, ...more })];
    expect(await explanation()).toBe(words);
  });

  it('names the end of the pause that the day fell in', async () => {
    await setUser(harness, user.id, { paused_until: '2027-03-12' });
    planned = [aPlan({ state: 'skipped', reason: 'paused' })];
    expect(await explanation()).toBe('No text on Mar 8, 2027: you paused until Mar 12, 2027.');
  });

  it('explains days without a plan, with one to come, and before the signup', async () => {
    expect(await explanation('2027-03-11')).toBe('Your text comes at 9:00 AM.');
    expect(await explanation('2027-03-04')).toBe(
      'No text: your first one comes the day after your plan starts.',
    );
    expect(await explanation('2027-03-03')).toBe("You hadn't signed up yet.");
    await setUser(harness, user.id, { frequency: 'weekly', weekday: 2 });
    expect(await explanation()).toBe('No text: you got your texts on Tuesdays.');
    harness.parts.scheduler = down;
    expect(await explanation()).toBe("We can't tell right now.");
  });

  it('is for the subscriber only, and rejects what is not a date', async () => {
    expect((await explain('2027-02-30')).statusCode).toBe(400);
    expect((await harness.call({ url: '/users/me/days/2027-03-08' })).statusCode).toBe(401);
    expect(
      (await harness.call({ url: '/users/me/days/2027-03-08', as: asAdmin('owner') })).statusCode,
    ).toBe(403);
  });
});

describe('GET /admin/users/:id/subscription', () => {
  it("is billing's response, or a clear message if there is none", async () => {
    const view = {
      ...{ status: 'trial', plan: 'monthly', price_cents: 499, currency: 'usd' },
      ...{ trial_end_date: null, current_period_end: null, cancel_at_period_end: false },
      ...{
        next_charge: null,
        credit_cents: 0,
        lost_days: null,
        card: null,
        owed: null,
        started_at: null,
        invoices: [],
      },
    };
    harness.parts.billing = async () => view;
    expect((await get('/subscription')).json()).toEqual(view);
    harness.parts.billing = down;
    expect((await get('/subscription')).statusCode).toBe(503);
  });
});

describe.each(['', '/subscription', '/timeline', '/days/2027-03-08'])(
  "A subscriber's page: %s",
  (path) => {
    it('returns 404 for unknown ids, and is for admins only', async () => {
      const as = asAdmin('viewer');
      const other = `/admin/users/${randomUUID()}${path}`;
      expect((await harness.call({ url: other, as })).statusCode).toBe(404);
      expect((await harness.call({ url: `/admin/users/me${path}`, as })).statusCode).toBe(400);
      const url = `/admin/users/${user.id}${path}`;
      expect((await harness.call({ url })).statusCode).toBe(401);
      for (const one of [asUser(user.id), asService])
        expect((await harness.call({ url, as: one })).statusCode).toBe(403);
    });
  },
);
