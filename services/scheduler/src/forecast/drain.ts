import { hourMs, minuteMs, secondMs } from '@daylift/clock/durations';
import type { ForecastHour, ForecastSenderHour } from '@daylift/contracts/forecast.http';
import type { ForecastSender, SenderLoad } from '@daylift/contracts/senders.http';
import { nextCarrierDay } from '@daylift/delivery/carrier-day';
import { forecastHours, startOfHour } from './hours.ts';

/** Stands for a number if no sender is active. */
export const noSender = '';

/** Texts of one sender that become due in the same quarter of an hour: time zones differ by quarters. */
export interface Wave {
  sender: string;
  at: number;
  /** From then on, they're late. */
  lateAt: number;
  /** From then on, they're missed. */
  closes: number;
  texts: number;
}

export type Drained = Required<Pick<ForecastHour, 'drain_seconds' | 'late' | 'missed' | 'senders'>>;
type Pool = Pick<SenderLoad, 'account_per_second' | 'senders'>;

const quarterMs = 15 * minuteMs;
const stepMs = 10_000;
/** Part of a rate limit that the limiter of sms-gateway uses, because a slot is held until the provider responds. */
const usedPart = 0.97;
const floor = (ms: number, unit: number) => Math.floor(ms / unit) * unit;

export function addToWave(
  waves: Map<string, Wave>,
  text: { sender: string; at: Date; due: Date; closes: Date; now: Date },
): void {
  const { sender } = text;
  const at = Math.max(text.now.getTime(), floor(text.at.getTime(), quarterMs));
  const lateAt = floor(text.due.getTime(), quarterMs) + hourMs;
  const closes = text.closes.getTime();
  const key = [sender, at, lateAt, closes].join(' ');
  const wave = waves.get(key) ?? { sender, at, lateAt, closes, texts: 0 };
  wave.texts += 1;
  waves.set(key, wave);
}

interface Sending extends Wave {
  left: number;
  late: number;
  doneAt: number;
}

/** A limit of one sender, of several ones, or of the account. */
interface Limit {
  key: string;
  senders: string[];
  count: number;
  /** Null for a limit per day. */
  perMs: number | null;
}

/**
 * Returns how each hour's texts leave: first due, first sent, within all limits. Senders with a common limit share it
 * evenly, so a slow one uses its own in full.
 */
export function drainWaves(waves: Wave[], pool: Pool, now: Date): Drained[] {
  const sendings: Sending[] = waves
    .toSorted((one, other) => one.at - other.at)
    .map((wave) => ({ ...wave, left: wave.texts, late: 0, doneAt: wave.at }));
  const sending = new Set(pool.senders.filter(({ state }) => state !== 'paused').map(numberOf));
  let waiting = sendings.filter(({ sender }) => sending.has(sender));
  const limits = limitsOf(pool);
  const used = new Map(pool.senders.flatMap(({ days }) => days.map((one) => [one.key, one.used])));
  let dayEnds = nextCarrierDay(now).getTime();
  for (let at = now.getTime(); ; ) {
    waiting = waiting.filter(({ left, closes }) => left > 0 && closes > at);
    if (waiting[0] === undefined) break;
    at = Math.max(at, waiting[0].at);
    if (at >= dayEnds) {
      used.clear();
      dayEnds = nextCarrierDay(new Date(at)).getTime();
    }
    const end = floor(at, stepMs) + stepMs;
    const due = waiting.filter((wave) => wave.at <= at);
    send(due, share(due, limits, used, end - at), at, end - at);
    at = end;
  }
  return sumUp(sendings, pool.senders, startOfHour(now));
}

const numberOf = ({ number }: { number: string }) => number;

function limitsOf({ senders, account_per_second }: Pool): Limit[] {
  const limits = new Map<string, Limit>();
  for (const { number, rates, days } of senders)
    for (const limit of [...rates, ...days]) {
      const { key, count } = limit;
      const perMs = 'per_ms' in limit ? limit.per_ms : null;
      const known = limits.get(key)?.senders ?? [];
      limits.set(key, { key, count, perMs, senders: [...known, number] });
    }
  const account = { key: 'account', senders: senders.map(numberOf), perMs: secondMs };
  return [...limits.values(), { ...account, count: account_per_second }];
}

interface Share {
  texts: number;
  /** Part of the step that they take. */
  time: number;
}

/** Returns what each sender may send in a step, and counts it against the limits per day. */
function share(
  due: Sending[],
  limits: Limit[],
  used: Map<string, number>,
  ms: number,
): Map<string, Share> {
  const shares = new Map<string, Share>();
  for (const { sender, left } of due)
    shares.set(sender, { texts: (shares.get(sender)?.texts ?? 0) + left, time: 0 });
  const sharing = ({ senders }: Limit) => senders.flatMap((one) => shares.get(one) ?? []);
  const allowed = ({ key, count, perMs }: Limit) =>
    perMs === null ? Math.max(0, count - (used.get(key) ?? 0)) : (usedPart * count * ms) / perMs;
  for (const limit of limits) {
    let free = allowed(limit);
    const fewestFirst = sharing(limit).toSorted((one, other) => one.texts - other.texts);
    for (const [index, one] of fewestFirst.entries()) {
      one.texts = Math.min(one.texts, free / (fewestFirst.length - index));
      free -= one.texts;
    }
  }
  for (const limit of limits) {
    const all = sharing(limit);
    const texts = sumOf(all, (one) => one.texts);
    if (limit.perMs === null) used.set(limit.key, (used.get(limit.key) ?? 0) + texts);
    else for (const one of all) one.time = Math.max(one.time, texts / allowed(limit));
  }
  return shares;
}

function send(due: Sending[], shares: Map<string, Share>, at: number, ms: number): void {
  for (const wave of due) {
    const share = shares.get(wave.sender)!;
    const texts = Math.min(wave.left, share.texts);
    if (texts === 0) continue;
    share.texts -= texts;
    wave.left = wave.left - texts < 0.001 ? 0 : wave.left - texts;
    if (at >= wave.lateAt) wave.late += texts;
    wave.doneAt = at + ms * share.time;
  }
}

function sumUp(sendings: Sending[], pool: ForecastSender[], start: number): Drained[] {
  const byHour = Map.groupBy(sendings, ({ at }) => Math.floor((at - start) / hourMs));
  return Array.from({ length: forecastHours }, (_, hour) => {
    const bySender = Map.groupBy(byHour.get(hour) ?? [], ({ sender }) => sender);
    const senders = [...pool, { number: noSender, per_hour: 0 }]
      .map(({ number, per_hour }): ForecastSenderHour => {
        const own = bySender.get(number) ?? [];
        return {
          number: number === noSender ? null : number,
          texts: sumOf(own, ({ texts }) => texts),
          per_hour,
          drain_seconds: Math.max(0, ...own.map(drainSeconds)),
          late: Math.round(sumOf(own, ({ late }) => late)),
          missed: Math.round(sumOf(own, ({ left }) => left)),
        };
      })
      .filter(({ texts }) => texts > 0);
    return {
      drain_seconds: Math.max(0, ...senders.map((one) => one.drain_seconds)),
      late: sumOf(senders, ({ late }) => late),
      missed: sumOf(senders, ({ missed }) => missed),
      senders,
    };
  });
}

const drainSeconds = ({ at, doneAt, left, closes }: Sending) =>
  Math.ceil(Math.round((left > 0 ? closes : doneAt) - at) / secondMs);

const sumOf = <T>(items: T[], amount: (item: T) => number) =>
  items.reduce((sum, item) => sum + amount(item), 0);
