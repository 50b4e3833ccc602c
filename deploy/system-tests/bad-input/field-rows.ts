/** For each field of any call: a valid value, and invalid values of the right type. */
export interface FieldRow {
  good: unknown;
  wrong: unknown[];
}

export const unknownId = '00000000-0000-4000-8000-000000000000';
/** Already used by this test's subscriber, so valid calls create no other. */
export const taken = { email: 'ada@example.com', phone: '+14155550101', password: 'good morning' };

const freeText: FieldRow = { good: 'A good day', wrong: ['', '   ', 'x'.repeat(5_000)] };
/** Only compared, so any text is valid and simply wrong. */
const compared: FieldRow = { good: 'not the password', wrong: ['', 'x'.repeat(200)] };
const flag: FieldRow = { good: true, wrong: ['yes', '1', 'TRUE', 0, 1] };

const day: FieldRow = {
  good: '2027-03-07',
  wrong: ['', 'yesterday', '2027-02-30', '2027-3-7', '0000-01-01', '2027-03-07T00:00:00Z'],
};

const email: FieldRow = {
  good: taken.email,
  wrong: [
    '',
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'a@b\r\nBcc: c@d.e',
    `${'x'.repeat(250)}@example.com`,
  ],
};

export const fieldRows: Record<string, FieldRow> = {
  name: freeText,
  title: freeText,
  content: freeText,
  message: freeText,
  subject: { good: 'A question', wrong: ['', '   ', 'x'.repeat(151), 'a\r\nBcc: c@d.example'] },
  search: { good: 'day', wrong: ['x'.repeat(101)] },
  ref: { good: 'MORNING', wrong: ['x'.repeat(65)] },

  email,
  buyer_email: email,
  buyer_name: freeText,
  gift_message: { good: 'Good mornings', wrong: ['x'.repeat(301)] },
  gift_code: { good: 'unknown-code', wrong: ['', 'x'.repeat(201)] },
  phone: {
    good: taken.phone,
    wrong: [
      '',
      '12',
      '+1',
      'call me',
      '+999999999999999999',
      '0',
      '911',
      '+1900555',
      '+14155550101 ext. 9x',
    ],
  },
  login: { good: 'nobody-here@example.com', wrong: ['', 'x'.repeat(255)] },
  username: { good: 'nobody', wrong: ['', 'x'.repeat(101)] },
  email_or_phone: { good: 'nobody-here@example.com', wrong: ['', 'x'.repeat(255)] },
  password: { good: 'not the password', wrong: ['', '12345', 'x'.repeat(129)] },
  confirmPassword: { good: 'not the password', wrong: ['another one', 'x'.repeat(129)] },
  old_password: compared,
  new_password: { good: 'a new morning', wrong: ['', '12345', 'x'.repeat(129)] },
  current_password: compared,
  code: { good: '000000', wrong: ['', '00000000000000000', 'abcdef', '１２３４５６'] },

  timezone: {
    good: 'Europe/Paris',
    wrong: ['', 'Mars/Olympus', 'EST5', '+02:00', 'utc+2', 'Europe', '../etc/passwd'],
  },
  delivery_time: {
    good: '07:00',
    wrong: ['', '24:00', '9:00', '09:30', '-1:00', '09:00:00', '9 AM', '09:00\n'],
  },
  delivery_enabled: flag,
  delivery_frequency: { good: 'daily', wrong: ['', 'hourly', 'Daily'] },
  delivery_weekday: { good: 3, wrong: [0, 8, -1, 1.5, 1e300] },
  paused_until: {
    good: null,
    wrong: ['', 'tomorrow', '2027-02-30', '+010000-01-01'],
  },
  enable: flag,
  sms_consent: flag,
  decline: flag,
  accept: flag,
  hold_quiet_hours: flag,
  scheduled_message_id: { good: unknownId, wrong: ['', 'x'] },

  plan: { good: 'monthly', wrong: ['', 'weekly', 'MONTHLY', 'free'] },
  currency: { good: 'usd', wrong: ['', 'USD', 'jpy', 'dollars'] },
  action: { good: 'upgrade', wrong: ['', 'cancel', 'UPGRADE'] },
  amount_cents: { good: 499, wrong: [0, -1, 1.5, 1_000_001] },
  invoice_id: { good: 'in_unknown', wrong: ['', 'in_', '../in_1', "in_' or 1=1"] },
  until: { good: '2027-06-01', wrong: ['', 'tomorrow', '2027-02-30', '2027-06-01T00:00:00Z'] },
  when: { good: 'now', wrong: ['', 'later', 'NOW'] },
  reason: { good: 'They asked for it', wrong: ['', '   ', 'ab', 'x'.repeat(501)] },
  from_cents: { good: 499, wrong: [-1, 1.5, 3e9, 1e300] },
  to_cents: { good: 599, wrong: [-1, 1.5, 3e9, 1e300] },
  charge_now_cents: { good: 499, wrong: [-1, 1.5] },
  subscription_id: { good: unknownId, wrong: ['', '1', 'not-an-id', `${unknownId}0`] },
  promotion_code: { good: 'SUMMER', wrong: ['', 'x'.repeat(61)] },
  value: { good: 20, wrong: [0, -1, 1.5, 1_000_001] },
  months: { good: 3, wrong: [0, -1, 1.5, 37] },
  max_uses: { good: 100, wrong: [0, -1, 1.5] },
  first_time_only: flag,
  expires_on: {
    good: '2999-03-07',
    wrong: ['', 'tomorrow', '2027-02-30', '2001-01-01', '9999-12-31'],
  },
  origin_url: {
    good: 'http://localhost:8080',
    wrong: [
      '',
      'https://good.com.evil.example',
      '//evil.example',
      'javascript:alert(1)',
      'http://localhost:8080@evil.example',
    ],
  },
  session_id: {
    good: 'cs_test_unknownunknown00',
    wrong: ['nothing', 'cs_live_x', '%00', '..%2f..%2finternal'],
  },

  id: {
    good: unknownId,
    wrong: ['not-an-id', `${unknownId}0`, '%00', '..%2f..', "'%20or%201=1%20--"],
  },
  limit: { good: 10, wrong: ['', '0', '-1', '1000000000', 'NaN', '10;drop', '1.5'] },
  offset: { good: 0, wrong: ['', '-1', '1e99', 'x'] },
  before: {
    good: '20270101-0123456789abcdef0123456789abcdef',
    wrong: ['', 'x', '20270101', '2027-01-01-0123456789abcdef0123456789abcdef'],
  },
  before_entry: { good: 100, wrong: ['', '0', '-1', 'x', '1e99'] },
  after_entry: { good: 0, wrong: ['', '-1', 'x', '1e99'] },
  admin: { good: 'owner', wrong: ['', 'x'.repeat(101)] },
  target: { good: unknownId, wrong: ['', 'x'.repeat(201)] },
  from: { good: '2027-03-07T00:00:00Z', wrong: ['', 'yesterday', '2027-02-30T00:00:00Z'] },
  to: { good: '2027-03-08T00:00:00Z', wrong: ['', 'tomorrow', '2027-02-30T00:00:00Z'] },
  role: { good: 'viewer', wrong: ['', 'admin', 'OWNER'] },
  is_active: flag,
  token: { good: 'a'.repeat(43), wrong: ['', 'x', 'a'.repeat(42), `${'a'.repeat(42)}!`] },
  month: { good: '2027-03', wrong: ['', '2027-13', '2027-1', 'march', '2027-03-01'] },

  status: { good: 'failed', wrong: ['', "' or 1=1", 'Failed', 'refused'] },
  batch_id: { good: unknownId, wrong: ['', '1', `${unknownId}0`] },
  user_id: { good: unknownId, wrong: ['', '1', `${unknownId}0`] },
  days: { good: 30, wrong: ['', '0', '367', '1.5', 'all'] },
  hours: { good: 24, wrong: ['', '0', '169', '1.5', 'all'] },
  enabled: flag,
  test_phone: {
    good: '+14155550143',
    wrong: ['', '12', 'call me', '+999999999999999999', '+1900555', '911'],
  },
  max_days_per_month: { good: 31, wrong: [0, 32, 1.5, -1] },
  failure_threshold: { good: 20, wrong: [0, 101, 20.5, -1] },

  scheduled_date: {
    good: '2999-03-07',
    wrong: ['', 'tomorrow', '2027-02-30', '2027-13-01', '07/03/2027', '2001-01-01'],
  },
  scheduled_time: { good: '08:00', wrong: ['', '25:00', '8', 'noon'] },
  category: { good: 'daily_motivation', wrong: ['', 'x'.repeat(60)] },
  version: { good: 1, wrong: [0, -1, 1.5, 1e300] },
  csv: { good: 'date,title,content\n2999-03-08,A,B', wrong: ['', '  ', 'x', 'x'.repeat(5_000)] },
  dry_run: flag,
  skip_invalid: flag,
  frequency: { good: 'daily', wrong: ['', 'hourly', 'Daily'] },
  tags: { good: ['calm'], wrong: [[''], [7], Array(11).fill('x'), ['x'.repeat(31)]] },
  question: freeText,
  answer: freeText,
  date: day,
  kind: { good: 'support', wrong: ['', 'Support', 'spam'] },
  kinds: { good: 'texts,payments', wrong: ['', 'texts;payments', 'all', ','] },
  state: { good: 'open', wrong: ['', 'Open', 'deleted'] },
  by: { good: 'email', wrong: ['', 'fax', 'Email'] },
  text: freeText,
  note: { good: 'Called us and asked', wrong: ['', '   ', 'ab', 'x'.repeat(501)] },
  unanswered: flag,
  assignee: { good: unknownId, wrong: ['', 'x', `${unknownId}0`] },
  assignee_id: { good: null, wrong: ['', '1', `${unknownId}0`] },
  idempotency_key: { good: unknownId, wrong: ['', '1', `${unknownId}0`] },
  request_key: { good: unknownId, wrong: ['', '1', `${unknownId}0`] },
  type: { good: 'accounts.user.registered', wrong: ['', 'x'.repeat(101)] },
  last_at: { good: '2027-03-07T12:00:00Z', wrong: ['', 'now', '2027-02-30T00:00:00Z'] },
  since: { good: '2027-03-07T12:00:00Z', wrong: ['', 'now', '2027-02-30T00:00:00Z'] },
  missed: { good: 'skip', wrong: ['', 'all', 'CATCH_UP'] },
  subscription: { good: 'trial', wrong: ['', 'Trial', 'free'] },
  consent: { good: 'pending', wrong: ['', 'yes', 'Granted'] },
  opted_out: flag,
  delivery: { good: 'on', wrong: ['', 'true', 'ON'] },
  sort: { good: 'created', wrong: ['', 'id', 'created desc'] },
  order: { good: 'asc', wrong: ['', 'up', 'ASC'] },
  ids: { good: [unknownId], wrong: [['x'], [7], [null]] },
};

const failedKind: FieldRow = { good: 'event', wrong: ['', 'Event', 'letter'] };
/** For lists of undelivered or skipped subscribers by reason. */
const outcomes: Record<string, FieldRow> = {
  reason: { good: 'missed:late', wrong: ['', 'late', 'MISSED:late', "missed:' or 1=1"] },
  cursor: { good: unknownId, wrong: ['', 'x'] },
};

const senderNumber: FieldRow = {
  good: '+18885550123',
  wrong: ['x', 'x'.repeat(33), '%00', '..%2f..'],
};
const whole: FieldRow = { good: 20, wrong: [0, -1, 1.5, 1e300] };
const name60: FieldRow = { good: 'Mornings', wrong: ['', 'x'.repeat(61)] };
/** The limits of a sending number. */
const senderLimits: Record<string, FieldRow> = {
  ...Object.fromEntries(
    ['per_second', 'per_minute', 'per_day', 'att_per_minute', 'tmobile_per_day', 'weight'].map(
      (limit) => [limit, whole],
    ),
  ),
  campaign: name60,
  brand: name60,
};

/** Fields with another meaning in single calls. */
export const callRows: Record<string, Record<string, FieldRow>> = {
  'GET /admin/inbox': { before: { good: unknownId, wrong: ['', 'x', `${unknownId}0`] } },
  'GET /users/me/support-messages': {
    before: { good: unknownId, wrong: ['', 'x', `${unknownId}0`] },
  },
  'GET /users/me/invoices': {
    before: { good: 'in_unknown', wrong: ['', 'x', 'in_', "in_' or 1=1"] },
  },
  'GET /admin/users': { status: { good: 'active', wrong: ['', "' or 1=1", 'Active', 'trial'] } },
  'GET /admin/users/:id/timeline': {
    before: { good: '2027-03-07T00:00:00.000Z~text:a', wrong: ['', 'x', '2027-03-07', unknownId] },
  },
  'GET /promotions/:code': { code: { good: 'SUMMER', wrong: ['x'.repeat(61), '%00', '..%2f..'] } },
  'GET /referrals': { code: { good: 'SUMMER', wrong: ['', 'x'.repeat(65)] } },
  'POST /gifts/checkout': { months: { good: 3, wrong: [0, -1, 2, 1.5, 13] } },
  'POST /admin/promotions': {
    code: { good: 'MORNING-20', wrong: ['', 'AB', 'A B C', '-ABC', 'x'.repeat(31)] },
    kind: { good: 'percent', wrong: ['', 'Percent', 'credit'] },
    value: { good: 20, wrong: [0, -1, 1.5, 101] },
  },
  'POST /admin/senders': {
    number: senderNumber,
    type: { good: 'toll_free', wrong: ['', 'Toll_Free', 'long_code'] },
    country: { good: 'US', wrong: ['', 'us', 'USA', 'United States'] },
    ...senderLimits,
  },
  'PUT /admin/senders/:number': {
    number: senderNumber,
    state: { good: 'active', wrong: ['', 'Active', 'open'] },
    ...senderLimits,
  },
  'GET /admin/missed': outcomes,
  'GET /admin/rehearsal/skipped': outcomes,
  // Without a new address, the code isn't checked.
  'PUT /users/me': { code: { good: '000000', wrong: ['', '0'.repeat(17)] } },
  ...Object.fromEntries(
    ['free-days', 'extend-trial'].map((call) => [
      `POST /admin/subscriptions/:id/${call}`,
      { days: { good: 7, wrong: [0, -1, 1.5, 367] } },
    ]),
  ),
  'POST /admin/freeze': { reason: { good: 'Trying it', wrong: ['x'.repeat(201)] } },
  ...Object.fromEntries(
    ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'].flatMap((service) =>
      ['replay', 'discard']
        .map((verb): [string, Record<string, FieldRow>] => [
          `POST /admin/parked/${service}/:id/${verb}`,
          { id: { good: `event.${unknownId}`, wrong: ['x', unknownId, 'letter.1', '%00'] } },
        ])
        .concat([[`POST /admin/parked/${service}/replay-all`, { kind: failedKind }]]),
    ),
  ),
  ...Object.fromEntries(
    [
      'GET /admin/business',
      'GET /admin/sms-logs',
      'GET /admin/messages',
      'GET /admin/sms-logs/export',
    ].map((call) => [call, { from: day, to: day }]),
  ),
};

/** Odd texts from people and attackers; they must never cause a 5xx. */
export const oddTexts = [
  ' ',
  'a\u0007b',
  'a\u0000b',
  'a\r\nBcc: c@d.example',
  '\u202Egood\u202C',
  'e\u0301\u200B\u2060',
  '\uFFFD',
  '🌅'.repeat(40),
  '__proto__',
  'constructor',
  '=HYPERLINK("http://evil.example")',
  '@SUM(1)',
  '+1',
  '-1',
  "' or 1=1 --",
  '{{7*7}}<script>alert(1)</script>$(id)',
  '../../etc/passwd',
  'a@a.a'.repeat(40),
  `${'a'.repeat(5_000)}!`,
  '0000-01',
  '0000-01-01',
  '2001-01-01',
  '9999-12',
  '9999-12-31',
  '9999-12-31T23:59:60Z',
];
