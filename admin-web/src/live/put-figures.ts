import type { AdminAnalytics } from '@daylift/contracts/gateway.http';
import type { LiveFigures, LiveUpdate } from '@daylift/contracts/live.http';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** `hour`: the hour of the product's clock. */
type Figures = Partial<LiveFigures & { hour: string }>;

/** Updates that replace the whole response of a query. */
const answers: [QueryKey, keyof Figures][] = [
  [['sms-system', 'status'], 'status'],
  [['sms-system', 'batches'], 'batches'],
  [['sms-system', 'stats'], 'sms'],
  [['freeze', 'state'], 'freeze'],
  [['inbox', 'open'], 'inbox_open'],
];

const analyticsKey = ['analytics'];
const analyticsParts = [
  'users',
  'subscriptions',
  'revenue',
  'scheduled_messages',
  'templates',
  'sms',
] as const;

/** Queries that are refetched when one of these numbers changes, at most this often. */
const dependents: { key: QueryKey; of: (keyof Figures)[]; everyMs: number }[] = [
  { key: ['settings', 'testing-mode'], of: ['testing_mode'], everyMs: 200 },
  { key: ['sms-system', 'provider'], of: ['freeze'], everyMs: 2_000 },
  { key: ['undelivered'], of: ['freeze', 'sms'], everyMs: 5_000 },
  // content has the progress of a batch a moment after sms-gateway shows it.
  { key: ['scheduled-messages'], of: ['batches', 'scheduled_messages'], everyMs: 4_000 },
  { key: ['content-calendar'], of: ['scheduled_messages', 'templates', 'hour'], everyMs: 2_000 },
  { key: ['failed'], of: ['parked'], everyMs: 500 },
  { key: ['inbox', 'list'], of: ['inbox_open'], everyMs: 2_000 },
  { key: ['sms-system', 'daily-stats'], of: ['sms', 'hour'], everyMs: 10_000 },
  { key: ['sms-system', 'log'], of: ['status', 'sms'], everyMs: 10_000 },
  { key: ['subscription-days'], of: ['subscriptions', 'revenue', 'hour'], everyMs: 10_000 },
  { key: ['today'], of: ['status', 'sms', 'hour'], everyMs: 5_000 },
  // It begins with the current hour.
  { key: ['forecast'], of: ['hour'], everyMs: 2_000 },
];

/** Returns a function that writes each update to the query cache. */
export function createPutFigures(queryClient: QueryClient) {
  const known: Figures = {};
  const due = new Set<QueryKey>();

  const put = (key: QueryKey, answer: unknown): void => {
    // A response in flight is older than this update.
    void queryClient.cancelQueries({ queryKey: key, exact: true });
    queryClient.setQueryData(key, answer);
  };
  const refetchSoon = (key: QueryKey, afterMs: number): void => {
    if (due.has(key)) return;
    due.add(key);
    setTimeout(() => {
      due.delete(key);
      void queryClient.invalidateQueries({ queryKey: key });
    }, afterMs);
  };

  return ({ at, figures: sent }: Pick<LiveUpdate, 'at' | 'figures'>): void => {
    const figures: Figures = { ...sent, hour: at.slice(0, 13) };
    // After a reconnect, everything is sent again.
    const isNews = (name: keyof Figures) =>
      known[name] !== undefined &&
      figures[name] !== undefined &&
      JSON.stringify(known[name]) !== JSON.stringify(figures[name]);
    const later = dependents.filter((one) => one.of.some(isNews));
    Object.assign(known, figures);
    for (const [key, name] of answers) if (figures[name] !== undefined) put(key, figures[name]);
    if (analyticsParts.some((name) => figures[name] !== undefined)) {
      const analytics = analyticsOf(known);
      if (analytics !== null) put(analyticsKey, analytics);
    }
    for (const { key, everyMs } of later) refetchSoon(key, everyMs);
  };
}

const analyticsOf = (known: Figures): AdminAnalytics | null =>
  analyticsParts.every((name) => known[name] !== undefined) ? pick(known as LiveFigures) : null;

const pick = (known: LiveFigures): AdminAnalytics => ({
  users: known.users,
  subscriptions: known.subscriptions,
  revenue: known.revenue,
  scheduled_messages: known.scheduled_messages,
  templates: known.templates,
  sms: known.sms,
});
