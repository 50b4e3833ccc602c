export interface AlertCase {
  when: string;
  series: Record<string, string>;
  at: number;
  /** The expected alert; null if it must not fire. */
  fires: { labels?: Record<string, string>; summary?: string } | null;
}

const ns = 'namespace="daylift"';
const due = `sms_texts_due_total{${ns},process="scheduler",kind="daily"}`;
const overdue = `sms_texts_overdue{${ns},process="scheduler"}`;
const sent = `sms_texts_sent_total{${ns},process="sms-worker",kind="daily"}`;
const skipped = (process: string) =>
  `sms_texts_skipped_total{${ns},process="${process}",kind="daily"}`;
const failed = `sms_texts_failed_total{${ns},process="sms-worker",kind="daily"}`;
const oldest = `sms_queue_oldest_seconds{${ns},process="sms-gateway"}`;
const lateUpTo = (le: string) =>
  `sms_text_lateness_seconds_bucket{${ns},process="sms-worker",kind="daily",le="${le}"}`;
const unresolved = `sms_texts_unresolved{${ns},process="sms-gateway"}`;
const stopped = `sms_sending_stopped{${ns},process="sms-gateway",why="paused"}`;
const outbox = (pod: string) =>
  `outbox_oldest_unsent_seconds{${ns},process="accounts",pod="${pod}"}`;
const failedItems = `parked_items{${ns},process="billing",kind="event"}`;
const receiptAge = (pod: string) => `sms_last_receipt_age_seconds{${ns},pod="${pod}"}`;
const lastPlanRun = (pod: string) =>
  `loop_last_success_timestamp_seconds{${ns},process="scheduler",loop="plan",pod="${pod}"}`;
const streamBytes = `event_stream_bytes{${ns},process="scheduler"}`;
const streamLimit = `event_stream_max_bytes{${ns},process="scheduler"}`;
const compared = (pod: string) =>
  `billing_compared_timestamp_seconds{${ns},process="billing",pod="${pod}"}`;
const differing = `billing_differences_total{${ns},process="billing",kind="invoice"}`;
const caughtUp = (pod: string) =>
  `cleanup_caught_up_timestamp_seconds{${ns},process="scheduler",table="outbox",pod="${pod}"}`;
const up = (pod: string, service = 'accounts') =>
  `up{${ns},service="daylift-${service}",pod="${pod}"}`;
const othersUp = Object.fromEntries(
  ['gateway', 'billing', 'content', 'scheduler', 'sms-gateway', 'sms-worker'].map((service) => [
    up('c', service),
    '1x1500',
  ]),
);
const requests = (status: string) =>
  `http_server_request_duration_seconds_count{${ns},process="accounts",route="/login",status="${status}"}`;
const requestsUpTo = (le: string, route = '/login') =>
  `http_server_request_duration_seconds_bucket{${ns},process="accounts",route="${route}",le="${le}"}`;
const judged = (verdict: string) =>
  `sms_canary_batches_total{${ns},process="sms-gateway",verdict="${verdict}"}`;
const unreachable = (reason: string) =>
  `sms_numbers_unreachable_total{${ns},process="sms-gateway",reason="${reason}"}`;
const repeated = `sms_repeated_sends_total{${ns},process="sms-gateway",result="accepted"}`;
const lifted = (pod: string) => `sms_opt_outs_lifted_at_provider{${ns},pod="${pod}"}`;
const repaired = `sms_opt_outs_repaired_total{${ns},process="sms-gateway"}`;
const runway = (category: string, pod = 'a') =>
  `scheduler_library_runway_days{${ns},process="scheduler",category="${category}",pod="${pod}"}`;
const lateTexts = (sender: string, pod = 'a') =>
  `scheduler_forecast_late_texts{${ns},process="scheduler",sender="${sender}",pod="${pod}"}`;
const certificate = `certmanager_certificate_expiration_timestamp_seconds{exported_namespace="daylift",name="product"}`;
const secret = (name: string) => `kube_secret_created{${ns},secret="${name}"}`;

/** For each alert, cases in which it fires and in which it doesn't. */
export const alertCases: Record<string, AlertCase[]> = {
  DayliftNothingSent: [
    {
      when: 'fifty were due and none was sent',
      series: { [due]: '0x10 50x60', [sent]: '0x70', [overdue]: '0x70' },
      at: 35,
      fires: {},
    },
    {
      when: 'planning stopped',
      series: { [due]: '0x60', [sent]: '0x60', [overdue]: '0x10 5x50' },
      at: 35,
      fires: {},
    },
    {
      when: 'no worker runs to count',
      series: { [due]: '0x10 50x60', [overdue]: '0x70' },
      at: 35,
      fires: {},
    },
    {
      when: 'one of the fifty due had said STOP',
      series: {
        [due]: '0x10 50x60',
        [sent]: '0x70',
        [skipped('scheduler')]: '0x10 80x60',
        [skipped('sms-worker')]: '0x11 1x60',
      },
      at: 35,
      fires: {},
    },
    {
      when: 'the provider rejected all three',
      series: { [due]: '0x10 3x60', [sent]: '0x70', [failed]: '0x11 3x60' },
      at: 35,
      fires: {},
    },
    {
      when: 'the only two had said STOP, noticed by worker and provider',
      series: {
        [due]: '0x10 2x60',
        [sent]: '0x70',
        [skipped('sms-worker')]: '0x11 2x60',
        [overdue]: '0x70',
      },
      at: 40,
      fires: null,
    },
    {
      when: 'all fifty were sent',
      series: { [due]: '0x10 50x60', [sent]: '0x11 50x60', [overdue]: '0x70' },
      at: 35,
      fires: null,
    },
    {
      when: 'no text was due',
      series: { [due]: '0x60', [sent]: '0x60', [overdue]: '0x60' },
      at: 60,
      fires: null,
    },
  ],
  DayliftLate: [
    {
      when: 'most texts are sent after 15 minutes',
      series: {
        [lateUpTo('900')]: '0+1x60',
        [lateUpTo('1800')]: '0+100x60',
        [lateUpTo('+Inf')]: '0+100x60',
      },
      at: 30,
      fires: {},
    },
    {
      when: 'due texts are not sent at all',
      series: { [oldest]: '0+60x60' },
      at: 30,
      fires: {},
    },
    {
      when: 'texts are sent within a minute',
      series: {
        [lateUpTo('60')]: '0+100x60',
        [lateUpTo('+Inf')]: '0+100x60',
        [oldest]: '10x60',
      },
      at: 30,
      fires: null,
    },
    {
      when: 'nothing is due',
      series: { [lateUpTo('900')]: '5x60', [lateUpTo('+Inf')]: '50x60', [oldest]: '0x60' },
      at: 30,
      fires: null,
    },
  ],
  DayliftFailing: [
    {
      when: 'one in five is rejected',
      series: { [failed]: '0+2x60', [sent]: '0+10x60' },
      at: 40,
      fires: {},
    },
    { when: 'all are rejected', series: { [failed]: '0+2x60', [sent]: '0x60' }, at: 40, fires: {} },
    {
      when: 'two in a hundred are rejected',
      series: { [failed]: '0+2x60', [sent]: '0+100x60' },
      at: 40,
      fires: null,
    },
    {
      when: 'one of two in a slow hour is rejected',
      series: { [failed]: '0x10 1x50', [sent]: '0x10 1x50' },
      at: 40,
      fires: null,
    },
  ],
  DayliftUnknownGrows: [
    { when: 'it grows by one each minute', series: { [unresolved]: '0+1x120' }, at: 90, fires: {} },
    {
      when: 'a few of one worker remain',
      series: { [unresolved]: '0x30 5x90' },
      at: 90,
      fires: null,
    },
  ],
  DayliftSendingStopped: [
    {
      when: 'it has been stopped for twenty minutes',
      series: { [stopped]: '0x10 1x50' },
      at: 31,
      fires: {
        labels: { why: 'paused' },
        summary: 'Sending has been paused for 15 minutes',
      },
    },
    {
      when: 'it was stopped for five minutes',
      series: { [stopped]: '0x10 1x4 0x40' },
      at: 31,
      fires: null,
    },
  ],
  DayliftOutboxStuck: [
    {
      when: 'the oldest event keeps waiting',
      series: { [outbox('a')]: '0+60x30', [outbox('b')]: '0+60x30' },
      at: 10,
      fires: {
        labels: { process: 'accounts' },
        summary: 'Events of accounts are not being published',
      },
    },
    {
      when: 'everything is published immediately',
      series: { [outbox('a')]: '0 1 0 2x30' },
      at: 10,
      fires: null,
    },
  ],
  DayliftFailedEvents: [
    {
      when: 'three failed',
      series: { [failedItems]: '0x5 3x30' },
      at: 15,
      fires: {
        labels: { process: 'billing', kind: 'event' },
        summary: '3 failed event items in billing',
      },
    },
    { when: 'all were resolved', series: { [failedItems]: '3x5 0x30' }, at: 15, fires: null },
  ],
  DayliftWebhooksSilent: [
    {
      when: 'texts are sent without receipts',
      series: {
        [receiptAge('a')]: '0+60x60',
        [receiptAge('b')]: '0+60x60',
        [sent]: '0+10x60',
      },
      at: 30,
      fires: {},
    },
    {
      when: 'receipts arrive',
      series: { [receiptAge('a')]: '5x60', [sent]: '0+10x60' },
      at: 30,
      fires: null,
    },
    {
      when: 'nothing is sent in quiet hours',
      series: { [receiptAge('a')]: '0+60x60', [sent]: '900x60' },
      at: 60,
      fires: null,
    },
  ],
  DayliftStreamFills: [
    {
      when: 'nine tenths are used',
      series: { [streamBytes]: '900x30', [streamLimit]: '1000x30' },
      at: 15,
      fires: {
        labels: { process: 'scheduler' },
        summary: 'The event stream of scheduler is 90% full',
      },
    },
    {
      when: 'half is used',
      series: { [streamBytes]: '500x30', [streamLimit]: '1000x30' },
      at: 15,
      fires: null,
    },
  ],
  DayliftComparisonBehind: [
    {
      when: 'the last comparison ended two days ago',
      series: { [compared('a')]: '0x2900' },
      at: 2_880,
      fires: { summary: 'Billing has not been compared with the payment provider for 36 hours' },
    },
    {
      when: 'one replica reads a comparison of last night',
      series: { [compared('a')]: '0x2900', [compared('b')]: '100000x2900' },
      at: 2_880,
      fires: null,
    },
  ],
  DayliftDifferences: [
    {
      when: 'a night finds hundreds',
      series: { [differing]: '0+10x60' },
      at: 60,
      fires: {
        labels: { kind: 'invoice' },
        summary: 'The nightly comparison found many differences of kind invoice',
      },
    },
    {
      when: 'a night finds a few',
      series: { [differing]: '0x20 5x40' },
      at: 60,
      fires: null,
    },
  ],
  DayliftCleanupBehind: [
    {
      when: 'no replica has caught up for seven hours',
      series: { [caughtUp('a')]: '0x480', [caughtUp('b')]: '0x480' },
      at: 420,
      fires: {
        labels: { process: 'scheduler', table: 'outbox' },
        summary: 'Old rows of outbox in scheduler have not been deleted for six hours',
      },
    },
    {
      when: 'one of two replicas has caught up',
      series: { [caughtUp('a')]: '0x480', [caughtUp('b')]: '0+60x480' },
      at: 420,
      fires: null,
    },
  ],
  DayliftCanaryHeld: [
    { when: 'a batch is held', series: { [judged('held')]: '0x10 1x60' }, at: 15, fires: {} },
    {
      when: 'batches go on',
      series: { [judged('held')]: '0x70', [judged('released')]: '0x10 3x60' },
      at: 15,
      fires: null,
    },
  ],
  DayliftNumbersUnreachable: [
    {
      when: 'fifty of a thousand texts end like this',
      series: { [unreachable('undelivered')]: '0x10 50x60', [sent]: '0x10 1000x60' },
      at: 30,
      fires: {},
    },
    {
      when: 'they are few of very many texts, or inactive',
      series: {
        [unreachable('undelivered')]: '0x10 50x60',
        [unreachable('inactive')]: '0x10 5000x60',
        [sent]: '0x10 100000x60',
      },
      at: 30,
      fires: null,
    },
  ],
  DayliftRepeatedSends: [
    { when: 'responses get lost', series: { [repeated]: '0+10x60' }, at: 40, fires: {} },
    { when: 'a few responses get lost', series: { [repeated]: '0x10 9x60' }, at: 40, fires: null },
  ],
  DayliftBlockListDiffers: [
    {
      when: 'the provider lifted a block',
      series: { [lifted('a')]: '1x30', [lifted('b')]: '1x30' },
      at: 20,
      fires: {},
    },
    {
      when: 'a number was blocked only there',
      series: { [lifted('a')]: '0x30', [repaired]: '0x5 1x30' },
      at: 20,
      fires: {},
    },
    {
      when: 'both lists agree',
      series: { [lifted('a')]: '0x30', [repaired]: '4x30' },
      at: 20,
      fires: null,
    },
  ],
  DayliftLibraryRunsOut: [
    {
      when: 'a category lasts six more days',
      series: {
        [runway('calm')]: '6x90',
        [runway('calm', 'b')]: '6x90',
        [runway('focus')]: '90x90',
      },
      at: 80,
      fires: {
        labels: { category: 'calm' },
        summary: 'Library texts in calm run out within 6 days',
      },
    },
    {
      when: 'it lasts for weeks, or is used up',
      series: { [runway('calm')]: '90x90', [runway('focus')]: '0x90' },
      at: 80,
      fires: null,
    },
  ],
  DayliftHourOverCapacity: [
    {
      when: "a sender can't send an hour's texts in time",
      series: {
        [lateTexts('+18885550100')]: '40x30',
        [lateTexts('+18885550100', 'b')]: '40x30',
        [lateTexts('+18885550101')]: '0x30',
      },
      at: 20,
      fires: {
        labels: { sender: '+18885550100' },
        summary: '40 texts from +18885550100 will be late or missed in the next 24 hours',
      },
    },
    {
      when: 'no sender is active',
      series: { [lateTexts('none')]: '5x30' },
      at: 20,
      fires: {
        labels: { sender: 'none' },
        summary: '5 texts without an active sender will be late or missed in the next 24 hours',
      },
    },
    {
      when: 'every sender can',
      series: { [lateTexts('+18885550100')]: '0x30' },
      at: 20,
      fires: null,
    },
  ],
  DayliftLoopStuck: [
    {
      when: 'no replica has run it for ten minutes',
      series: { [lastPlanRun('a')]: '0x30', [lastPlanRun('b')]: '0x30' },
      at: 10,
      fires: {
        labels: { process: 'scheduler', loop: 'plan' },
        summary: 'Loop plan of scheduler has not completed for five minutes',
      },
    },
    {
      when: 'one of two replicas runs it',
      series: { [lastPlanRun('a')]: '0x30', [lastPlanRun('b')]: '0+60x30' },
      at: 10,
      fires: null,
    },
  ],
  DayliftCertificateExpires: [
    {
      when: 'ten days are left',
      series: { [certificate]: '864000x60' },
      at: 20,
      fires: {
        labels: { name: 'product' },
        summary: 'The certificate product expires in 9d 23h 40m 0s',
      },
    },
    { when: 'thirty days are left', series: { [certificate]: '2592000x60' }, at: 20, fires: null },
  ],
  DayliftKeysOld: [
    {
      when: 'they are more than a year old',
      series: { [secret('daylift-accounts')]: '-31537000x120' },
      at: 100,
      fires: {
        labels: { namespace: 'daylift', secret: 'daylift-accounts' },
        summary: 'The keys in daylift-accounts are older than a year',
      },
    },
    {
      when: 'they are less than a year old',
      series: { [secret('daylift-accounts')]: '-8640000x120' },
      at: 100,
      fires: null,
    },
    {
      when: 'only Secrets with certificates or of others are old',
      series: {
        [secret('daylift-tls')]: '-31537000x120',
        [secret('daylift-admin-tls')]: '-31537000x120',
        [secret('daylift-postgres')]: '-31537000x120',
      },
      at: 100,
      fires: null,
    },
  ],
  DayliftPartAway: [
    {
      when: 'no pod responds',
      series: { ...othersUp, [up('a')]: '1x5 0x30', [up('b')]: '1x5 0x30' },
      at: 15,
      fires: {
        labels: { service: 'daylift-accounts' },
        summary: 'No pod of daylift-accounts responds',
      },
    },
    {
      when: 'no pod exists, for longer than a day',
      series: { ...othersUp, [up('a')]: '1x5 stale' },
      at: 1_490,
      fires: {
        labels: { service: 'daylift-accounts' },
        summary: 'No pod of daylift-accounts responds',
      },
    },
    {
      when: 'another pod has replaced one',
      series: { ...othersUp, [up('a')]: '1x5 stale', [up('b')]: '_x4 1x30' },
      at: 15,
      fires: null,
    },
    {
      when: 'a service that the chart no longer has is gone',
      series: { ...othersUp, [up('a')]: '1x30', [up('d', 'letters')]: '1x5 stale' },
      at: 15,
      fires: null,
    },
    {
      when: 'one of two pods responds',
      series: { ...othersUp, [up('a')]: '1x5 0x30', [up('b')]: '1x35' },
      at: 15,
      fires: null,
    },
  ],
  DayliftErrors: [
    {
      when: 'one response in ten is a 5xx',
      series: { [requests('2xx')]: '0+90x30', [requests('5xx')]: '0+10x30' },
      at: 20,
      fires: {
        labels: { process: 'accounts' },
        summary: 'More than 2% of requests to accounts fail',
      },
    },
    {
      when: 'users mistype passwords',
      series: { [requests('2xx')]: '0+50x30', [requests('4xx')]: '0+50x30' },
      at: 20,
      fires: null,
    },
  ],
  DayliftSlow: [
    {
      when: 'one response in twenty takes five seconds',
      series: {
        [requestsUpTo('2.5')]: '0+95x40',
        [requestsUpTo('5')]: '0+100x40',
        [requestsUpTo('+Inf')]: '0+100x40',
      },
      at: 30,
      fires: {
        labels: { process: 'accounts' },
        summary: 'One request in a hundred to accounts takes longer than 2.5 s',
      },
    },
    {
      when: 'only live streams are long',
      series: {
        [requestsUpTo('0.1')]: '0+100x40',
        [requestsUpTo('+Inf')]: '0+100x40',
        [requestsUpTo('0.1', '/api/admin/live')]: '0x40',
        [requestsUpTo('+Inf', '/api/admin/live')]: '0+5x40',
      },
      at: 30,
      fires: null,
    },
  ],
};
