import { hourMs } from '@daylift/clock/durations';
import type { NewSender, Sender, SenderChange, SenderPool } from '@daylift/contracts/senders.http';
import type { OwnSender } from '@daylift/contracts/sms.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { SmsDeps } from '../deps.ts';
import { InvalidSender, KnownSender, LastSender, UnknownSender } from '../errors.ts';
import { defaultLimits, hourlyCapacity, slowedUntil } from './sender-limits.ts';
import {
  countSubscribers,
  findHours,
  findRecipientSender,
  findSenders,
  firstSender,
  insertSender,
  lockSenders,
  updateSender,
} from './senders.repository.ts';

export async function listSenders(deps: SmsDeps): Promise<SenderPool> {
  const { db, clock, settings } = deps;
  const pool = await findSenders(deps);
  const now = clock.now();
  const hour = new Date(now.getTime() - (now.getTime() % hourMs));
  const [subscribers, hours] = await Promise.all([countSubscribers(db, pool), findHours(db, hour)]);
  const counts = new Map(hours.map((hour) => [hour.number, hour]));
  const senders = pool.map((sender) => ({
    ...sender,
    slowed_until: slowedUntil(sender, now)?.toISOString() ?? null,
    per_hour: Math.floor(hourlyCapacity(sender)),
    subscribers: subscribers.get(sender.number) ?? 0,
    sent: Number(counts.get(sender.number)?.sent ?? 0),
    failed: Number(counts.get(sender.number)?.failed ?? 0),
  }));
  return { account_per_second: settings.SMS_RATE_PER_SECOND, senders };
}

/** Returns the number that sends a subscriber's texts, or the most likely one before the first text. */
export async function readOwnSender(deps: SmsDeps, userId: string): Promise<OwnSender> {
  const [pool, own] = await Promise.all([findSenders(deps), findRecipientSender(deps.db, userId)]);
  const [first] = pool;
  const known = own === firstSender ? first : pool.find(({ number }) => number === own);
  const active = pool.find(({ state, type }) => state === 'active' && type !== 'alphanumeric');
  return { number: (known ?? active ?? first)?.number ?? deps.settings.SMS_FROM };
}

export async function addSender(
  deps: SmsDeps,
  { number: typed, type, ...given }: NewSender,
  by: ActingAdmin,
): Promise<Sender> {
  const number = await readNumber(deps, type, typed);
  // The configured number joins an empty pool first, because subscribers from before the pool have the oldest sender.
  await findSenders(deps);
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const row = { ...defaultLimits[type], ...given, number, type, created_at: now };
    if (!(await insertSender(trx, row))) throw new KnownSender();
    const adminAction = { action: 'sender.added', target: number, details: { type } };
    await publishAdminAction(trx, 'sms', by, adminAction, now);
  });
  return findListed(deps, number);
}

export async function changeSender(
  deps: SmsDeps,
  number: string,
  change: SenderChange,
  by: ActingAdmin,
): Promise<Sender> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const pool = await lockSenders(trx);
    const before = pool.find((one) => one.number === number);
    if (before === undefined) throw new UnknownSender();
    const hasOtherActive = pool.some((one) => one.number !== number && one.state === 'active');
    if (change.state === 'draining' && !hasOtherActive) throw new LastSender();
    const changed = (Object.keys(change) as (keyof SenderChange)[]).filter(
      (key) => change[key] !== before[key],
    );
    if (changed.length === 0) return;
    await updateSender(trx, number, change);
    const details = Object.fromEntries(
      changed.map((key) => [key, { from: before[key], to: change[key] ?? null }]),
    );
    await publishAdminAction(
      trx,
      'sms',
      by,
      { action: 'sender.changed', target: number, details },
      now,
    );
  });
  return findListed(deps, number);
}

async function findListed(deps: SmsDeps, number: string): Promise<Sender> {
  const { senders } = await listSenders(deps);
  const sender = senders.find((one) => one.number === number);
  if (sender === undefined) throw new UnknownSender();
  return sender;
}

const shapes = {
  toll_free: /^\+18(00|33|44|55|66|77|88)\d{7}$/,
  '10dlc': /^\+1[2-9]\d{9}$/,
  short_code: /^\d{5,6}$/,
  alphanumeric: /^(?=.*[A-Za-z])[A-Za-z0-9 ]{3,11}$/,
};

async function readNumber(
  { settings }: SmsDeps,
  type: NewSender['type'],
  typed: string,
): Promise<string> {
  const number = type === 'alphanumeric' ? typed.trim() : typed.replace(/[\s().-]/g, '');
  if (number !== settings.SMS_FROM && !shapes[type].test(number)) throw new InvalidSender();
  return number;
}
