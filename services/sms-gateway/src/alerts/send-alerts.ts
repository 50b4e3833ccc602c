import type { Clock } from '@daylift/clock/clock';
import { dayMs, hourMs } from '@daylift/clock/durations';
import { queueMail } from '@daylift/mail/mail';
import type { Kysely, Transaction } from 'kysely';
import { findCheck } from '../block-list/block-list.repository.ts';
import type { SmsDatabase } from '../database.ts';
import { actions } from '../provider/outcome-table.ts';
import { findSendPause } from '../provider/send-pause.repository.ts';
import { ruleOf, unknownAction } from '../provider-errors/list-errors.ts';
import { countErrors } from '../provider-errors/provider-errors.repository.ts';
import { countQueue } from '../queue/queue.repository.ts';
import { findTestingMode } from '../settings/testing-mode.repository.ts';
import type { SpendLimit } from '../spend/spend-limit.ts';
import {
  type AlertKind,
  type AlertSettingsRow,
  findAlertSettings,
  findLastAlert,
  takeAlertTurn,
} from './alert-settings.repository.ts';
import {
  type AlertPlace,
  blockListWords,
  errorWords,
  failureWords,
  libraryWords,
  missingContentWords,
  pauseWords,
  shortfallWords,
  spendLimitWords,
  testingModeWords,
  type Words,
} from './alert-words.ts';
import { exceeds } from './exceeds.ts';
import {
  findBatchesWithFailures,
  findFailureReasons,
  markAlerted,
  tallyHour,
} from './failures.repository.ts';

export interface AlertDeps {
  db: Kysely<SmsDatabase>;
  clock: Clock;
  words: { productName: string };
  adminUrl: string;
  operatorTimezone: string;
  spendLimit: SpendLimit;
}

/** Minimum time between two alerts of one kind. */
const apartMs = hourMs;
/** A lasting condition is repeated less often than every hour. */
const repeatMs = { paused: 6 * hourMs, testing_mode: 24 * hourMs };
/** A test shorter than this needs no reminder. */
const longTestMs = hourMs;

/** Checks every alert condition. Returns how many emails were queued. */
export async function sendAlerts(deps: AlertDeps): Promise<number> {
  const settings = await findAlertSettings(deps.db);
  if (!settings.enabled) return 0;
  const checks = [
    checkFailures,
    checkPause,
    checkErrors,
    checkTestingMode,
    checkBlockList,
    checkSpendLimit,
  ];
  let sent = 0;
  for (const check of checks) sent += (await check(deps, settings)) ? 1 : 0;
  return sent;
}

const placeOf = ({ words, adminUrl, operatorTimezone }: AlertDeps): AlertPlace => ({
  productName: words.productName,
  url: `${adminUrl}?tab=sms`,
  timezone: operatorTimezone,
});

/** Queues one email and records it, if the caller wins the turn. */
async function send(
  { db, clock }: AlertDeps,
  alert: { kind: AlertKind; to: string; words: Words },
  then: (trx: Transaction<SmsDatabase>, now: Date) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const now = clock.now();
  const { kind, to, words } = alert;
  return db.transaction().execute(async (trx) => {
    const since = new Date(now.getTime() - apartMs);
    if (!(await takeAlertTurn(trx, kind, { now, since }))) return false;
    await queueMail(trx, { key: `alert:${kind}:${now.toISOString()}`, to, ...words }, now);
    await then(trx, now);
    return true;
  });
}

/** Returns whether an alert of this kind was sent within this time. */
async function wasAlertSent(
  { db, clock }: AlertDeps,
  kind: AlertKind,
  { since, withinMs }: { since: Date; withinMs: number },
): Promise<boolean> {
  const last = await findLastAlert(db, kind);
  return last !== null && last >= since && clock.now().getTime() - last.getTime() < withinMs;
}

async function checkFailures(deps: AlertDeps, settings: AlertSettingsRow): Promise<boolean> {
  const { db, clock } = deps;
  const now = clock.now();
  const always = { since: new Date(0), withinMs: apartMs };
  if (await wasAlertSent(deps, 'failures', always)) return false;
  const threshold = settings.threshold_percent;
  const batches = (await findBatchesWithFailures(db, threshold, now)).filter(
    (one) => one.is_held || exceeds(one, threshold),
  );
  const { due, held } = await countQueue(db, now);
  const lastHour = { ...(await tallyHour(db, now)), pending: due + held };
  const hour = exceeds(lastHour, threshold) ? lastHour : null;
  if (batches.length === 0 && hour === null) return false;
  const batchIds = batches.map(({ id }) => id);
  const reasons = await findFailureReasons(db, hour === null ? { batchIds } : { lastHour: now });
  const words = failureWords(placeOf(deps), { threshold, batches, hour, reasons });
  return send(deps, { kind: 'failures', to: settings.email, words }, (trx, at) =>
    markAlerted(trx, batchIds, at),
  );
}

async function checkPause(deps: AlertDeps, settings: AlertSettingsRow): Promise<boolean> {
  const { db, clock } = deps;
  const pause = await findSendPause(db);
  if (pause === null) return false;
  const repeat = { since: pause.paused_at, withinMs: repeatMs.paused };
  if (await wasAlertSent(deps, 'paused', repeat)) return false;
  const { due } = await countQueue(db, clock.now());
  const words = pauseWords(placeOf(deps), { ...pause, waiting: due });
  return send(deps, { kind: 'paused', to: settings.email, words });
}

/** Alerts about errors that need attention, since the last such alert. */
async function checkErrors(deps: AlertDeps, settings: AlertSettingsRow): Promise<boolean> {
  const { db, clock } = deps;
  const last = await findLastAlert(db, 'provider_errors');
  const day = new Date(clock.now().getTime() - dayMs);
  const counts = await countErrors(db, { fromDay: day.toISOString().slice(0, 10), after: last });
  const errors = counts.flatMap((count) => {
    const rule = ruleOf(count);
    if (rule !== undefined && !actions[rule.action].alerts) return [];
    const action = rule === undefined ? unknownAction[count.phase] : actions[rule.action].words;
    return [{ ...count, action }];
  });
  if (errors.length === 0) return false;
  const words = errorWords({ ...placeOf(deps), url: `${deps.adminUrl}?tab=errors` }, errors);
  return send(deps, { kind: 'provider_errors', to: settings.email, words });
}

async function checkTestingMode(deps: AlertDeps, settings: AlertSettingsRow): Promise<boolean> {
  const { enabled_at } = await findTestingMode(deps.db);
  if (enabled_at === null || deps.clock.now().getTime() - enabled_at.getTime() < longTestMs)
    return false;
  const repeat = { since: enabled_at, withinMs: repeatMs.testing_mode };
  if (await wasAlertSent(deps, 'testing_mode', repeat)) return false;
  const words = testingModeWords(placeOf(deps), enabled_at);
  return send(deps, { kind: 'testing_mode', to: settings.email, words });
}

/** Alerts once about each comparison that found a difference which shouldn't exist. */
async function checkBlockList(deps: AlertDeps, settings: AlertSettingsRow): Promise<boolean> {
  const { finished_at, added, lifted } = await findCheck(deps.db);
  if (finished_at === null || (added === 0 && lifted === 0)) return false;
  const repeat = { since: finished_at, withinMs: Number.POSITIVE_INFINITY };
  if (await wasAlertSent(deps, 'block_list', repeat)) return false;
  const words = blockListWords(placeOf(deps), { added, lifted: lifted ?? 0 });
  return send(deps, { kind: 'block_list', to: settings.email, words });
}

/** Alerts once a day about texts that the provider's spend limit has no room for, and once about daily texts. */
async function checkSpendLimit(deps: AlertDeps, settings: AlertSettingsRow): Promise<boolean> {
  const limit = await deps.spendLimit.read(deps.db);
  if (limit === null) return false;
  const shortfall = limit.spent + limit.reserved - limit.limit;
  const isShort = shortfall > 0.005;
  if (!isShort && limit.refused === 0) return false;
  const kind = isShort ? 'spend_shortfall' : 'spend_limit';
  const midnight = new Date(Math.floor(deps.clock.now().getTime() / dayMs) * dayMs);
  if (await wasAlertSent(deps, kind, { since: midnight, withinMs: dayMs })) return false;
  const place = placeOf(deps);
  const words = isShort ? shortfallWords(place, limit, shortfall) : spendLimitWords(place, limit);
  return send(deps, { kind, to: settings.email, words });
}

type ContentDeps = Pick<AlertDeps, 'clock' | 'words' | 'adminUrl'>;

/** Alerts once per date that the scheduler has no message for. */
export const alertOfMissingContent = (
  trx: Transaction<SmsDatabase>,
  { date }: { date: string },
  deps: ContentDeps,
): Promise<void> =>
  alertOfContent(trx, deps, `content_missing:${date}`, (place) => missingContentWords(place, date));

/** Alerts about a category that is running out. The scheduler reports each threshold once. */
export const alertOfShortLibrary = (
  trx: Transaction<SmsDatabase>,
  data: { category: string; days: number; threshold_days: number; date: string },
  deps: ContentDeps,
): Promise<void> =>
  alertOfContent(
    trx,
    deps,
    `library:${data.category}:${data.threshold_days}:${data.date}`,
    (place) => libraryWords(place, data),
  );

async function alertOfContent(
  trx: Transaction<SmsDatabase>,
  { clock, words, adminUrl }: ContentDeps,
  key: string,
  wordsOf: (place: Omit<AlertPlace, 'timezone'>) => Words,
): Promise<void> {
  const settings = await findAlertSettings(trx);
  if (!settings.enabled) return;
  const place = { productName: words.productName, url: `${adminUrl}?tab=messages` };
  await queueMail(trx, { key: `alert:${key}`, to: settings.email, ...wordsOf(place) }, clock.now());
}
