import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { reconnectOnError } from '@daylift/jobs/failover';
import { Redis } from 'ioredis';
import { createCallTimes } from './call-times.ts';
import { moveScript, takeScript } from './rate-scripts.ts';

/** At most `count` texts in any sliding period. Limits with the same key are shared. */
export interface RateLimit {
  key: string;
  count: number;
  perMs: number;
}

/** The right to send one text at an instant. */
export interface RateSlot {
  /** Waits for the slot's instant. Returns false if this process missed it: then nothing may be sent. */
  begin(): Promise<boolean>;
  /** Reports that the provider has accepted the text, which takes some time after it arrives. */
  accepted(): void;
  /** Ends the use of the slot, after the outcome is recorded; until then the call is open. An unused slot is free again. */
  close(): void;
}

export interface RateLimiter {
  /**
   * Waits for slots, each within all limits of its text. First come, first served in this process, except that urgent
   * callers go first. Returns a slot or null for each text, and at least one slot unless `patienceMs` have passed; an
   * empty list to callers still waiting when the line closes, and to later ones. Throws if Redis doesn't respond.
   */
  take(
    texts: readonly RateLimit[][],
    options?: { isUrgent: boolean; patienceMs?: number },
  ): Promise<(RateSlot | null)[]>;
  /** Called before the process ends, because the line may be longer than the time left. */
  closeLine(): void;
  isLineClosed(): boolean;
  /** Withholds slots from all processes for this time. */
  hold(ms: number): Promise<void>;
  close(): void;
}

/** Slots are granted this long before their instant, which leaves time to mark the texts. */
const earlyMs = 300;
/** A slot not begun this long after its instant, or after its latest report, is void. */
const validMs = 600;
/** How long after its latest report an open slot counts, for requests still under way when a process is killed. */
const aheadMs = 800;
const reportEveryMs = aheadMs / 2;
/** Responses within this time share a report, and the slots that they free are granted and marked together. */
const gatherMs = 5;
/** Between two requests for a lane that has no free slot, so slots come in groups. */
const pollMs = 100;
const maxSleepMs = 1_000;

interface Waiter {
  texts: readonly RateLimit[][];
  isUrgent: boolean;
  resolve(slots: (RateSlot | null)[]): void;
  reject(error: unknown): void;
}

interface HeldSlot {
  limits: RateLimit[];
  at: number;
  /** When it lapses, unless it has begun. */
  until: number;
  isBegun: boolean;
}

interface Move {
  instant: string;
  member: string;
  limits: RateLimit[];
}

interface Lane {
  limits: RateLimit[];
  wanted: number;
}

const laneKey = (limits: RateLimit[]) => limits.map(({ key }) => key).join(' ');

/** `maxOpen` bounds the open calls of this process. This folder's README explains the bound. */
export function createRateLimiter(options: {
  redisUrl: string;
  name: string;
  maxOpen: number;
  onError: (error: Error) => void;
}): RateLimiter {
  const redis = new Redis(options.redisUrl, {
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
    reconnectOnError,
  });
  redis.on('error', options.onError);
  // One hash slot of a cluster.
  const keyOf = (part: string) => `{rate:${options.name}}:${part}`;
  const [born, holdKey] = [keyOf('born'), keyOf('hold')];
  const waiting: Waiter[] = [];
  /** When a lane without free slots is polled again. */
  const notBefore = new Map<string, number>();
  const callTimes = createCallTimes();
  /** Slots without a response. */
  const held = new Map<string, HeldSlot>();
  let open = 0;
  let wake: AbortController | null = null;
  let pumping = false;
  let isClosed = false;

  let moves: Move[] = [];
  function move(instant: string, member: string, limits: RateLimit[]): void {
    if (moves.length === 0)
      setTimeout(() => {
        void report(moves);
        moves = [];
      }, gatherMs);
    moves.push({ instant, member, limits });
  }

  /** Returns whether Redis has stored them. */
  async function report(some: Move[]): Promise<boolean> {
    const keys = [...new Set(some.flatMap(({ limits }) => limits.map(({ key }) => key)))];
    const index = new Map(keys.map((key, position) => [key, position + 1]));
    const args = some.flatMap(({ instant, member, limits }) => [
      instant,
      member,
      limits.length,
      ...limits.map(({ key }) => index.get(key) ?? 0),
    ]);
    try {
      await redis.eval(moveScript, keys.length, ...keys.map(keyOf), ...args);
      return true;
    } catch (error) {
      options.onError(error as Error);
      return false;
    }
  }

  async function keepSlots(): Promise<void> {
    const now = performance.now();
    // A slot that lapsed may have been granted again.
    const valid = [...held].filter(([, one]) => one.isBegun || (now >= one.at && now <= one.until));
    if (valid.length === 0) return;
    const instant = String(aheadMs * 1_000);
    const isStored = await report(
      valid.map(([member, { limits }]) => ({ instant, member, limits })),
    );
    if (isStored) for (const [, one] of valid) one.until = now + validMs;
  }
  const timer = setInterval(() => void keepSlots(), reportEveryMs);
  timer.unref();

  function slotOf(member: string, limits: RateLimit[], at: number): RateSlot {
    const own: HeldSlot = { limits, at, until: at + validMs, isBegun: false };
    held.set(member, own);
    let startedAt = 0;
    let isOpen = true;
    open += 1;
    const end = (msBefore: number) => {
      if (own.isBegun && held.delete(member))
        move(String(Math.round(-msBefore * 1_000)), member, limits);
    };
    return {
      async begin() {
        for (let left = at - performance.now(); left > 0; left = at - performance.now())
          await delay(Math.ceil(left));
        startedAt = performance.now();
        own.isBegun = isOpen && startedAt <= own.until;
        return own.isBegun;
      },
      accepted() {
        callTimes.add(performance.now() - startedAt);
        end(callTimes.certainMs());
      },
      close() {
        if (!isOpen) return;
        isOpen = false;
        if (own.isBegun) end(0);
        else if (held.delete(member)) move('unused', member, limits);
        open -= 1;
        if (!pumping && waiting.length > 0) void pump();
      },
    };
  }

  /** Takes slots for the waiting callers until none is left. */
  async function pump(): Promise<void> {
    pumping = true;
    // Slots that close together are granted together.
    await delay(gatherMs);
    try {
      while (waiting.length > 0 && open < options.maxOpen) {
        const lanes = wantedLanes(performance.now());
        if (lanes.length > 0) assign(lanes, await take(lanes));
        else await sleep();
      }
    } catch (error) {
      for (const one of waiting.splice(0)) one.reject(error);
    } finally {
      pumping = false;
    }
  }

  /** Returns what the callers want, in their order, without lanes that were asked just now. */
  function wantedLanes(now: number): Lane[] {
    const lanes = new Map<string, Lane>();
    let free = options.maxOpen - open;
    for (const limits of waiting.flatMap(({ texts }) => texts)) {
      if (free === 0) break;
      const key = laneKey(limits);
      if ((notBefore.get(key) ?? 0) > now) continue;
      const lane = lanes.get(key) ?? { limits, wanted: 0 };
      lane.wanted += 1;
      lanes.set(key, lane);
      free -= 1;
    }
    return [...lanes.values()];
  }

  async function sleep(): Promise<void> {
    const keys = new Set(waiting.flatMap(({ texts }) => texts.map(laneKey)));
    const next = Math.min(...[...keys].map((key) => notBefore.get(key) ?? 0));
    wake = new AbortController();
    const ms = Math.min(Math.max(next - performance.now(), 1), maxSleepMs);
    await delay(ms, undefined, { signal: wake.signal }).catch(() => undefined);
    wake = null;
  }

  /** Returns the slots of each lane. */
  async function take(lanes: Lane[]): Promise<Map<string, RateSlot[]>> {
    const limits = [
      ...new Map(lanes.flatMap((lane) => lane.limits.map((one) => [one.key, one]))).values(),
    ];
    const index = new Map(limits.map(({ key }, position) => [key, position + 1]));
    const id = randomUUID();
    const granted = (await redis.eval(
      takeScript,
      limits.length + 2,
      ...[born, holdKey, ...limits.map(({ key }) => keyOf(key))],
      ...[aheadMs * 1_000, earlyMs * 1_000, id],
      ...limits.flatMap(({ count, perMs }) => [count, perMs * 1_000]),
      ...lanes.flatMap((lane) => [
        lane.wanted,
        lane.limits.length,
        ...lane.limits.map(({ key }) => index.get(key) ?? 0),
      ]),
    )) as number[][];
    // Later than Redis read its clock, so no slot begins early.
    const now = performance.now();
    return new Map(
      lanes.map((lane, position) => {
        const [waitUs = 0, ...beginsUs] = granted[position] ?? [];
        if (beginsUs.length < lane.wanted)
          notBefore.set(laneKey(lane.limits), now + Math.max(pollMs, waitUs / 1_000));
        const slots = beginsUs.map((us, index) =>
          slotOf(`${id}:${position + 1}:${index + 1}`, lane.limits, now + us / 1_000),
        );
        return [laneKey(lane.limits), slots];
      }),
    );
  }

  /** The line may have closed, so some slots may be left. */
  function assign(lanes: Lane[], slots: Map<string, RateSlot[]>): void {
    for (const waiter of [...waiting]) {
      const granted = waiter.texts.map((limits) => slots.get(laneKey(limits))?.shift() ?? null);
      if (granted.every((slot) => slot === null)) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve(granted);
    }
    for (const { limits } of lanes)
      for (const slot of slots.get(laneKey(limits)) ?? []) slot.close();
  }

  function giveUp(waiter: Waiter): void {
    const position = waiting.indexOf(waiter);
    if (position === -1) return;
    waiting.splice(position, 1);
    waiter.resolve(waiter.texts.map(() => null));
  }

  return {
    async take(texts, { isUrgent, patienceMs } = { isUrgent: false }) {
      if (isClosed) return [];
      const { promise, resolve, reject } = Promise.withResolvers<(RateSlot | null)[]>();
      const waiter = { texts, isUrgent, resolve, reject };
      const firstBulk = isUrgent ? waiting.findIndex((one) => !one.isUrgent) : -1;
      waiting.splice(firstBulk === -1 ? waiting.length : firstBulk, 0, waiter);
      if (patienceMs !== undefined) {
        const timer = setTimeout(() => giveUp(waiter), patienceMs);
        void promise.finally(() => clearTimeout(timer)).catch(() => undefined);
      }
      if (pumping) wake?.abort();
      else void pump();
      return promise;
    },
    closeLine() {
      isClosed = true;
      for (const one of waiting.splice(0)) one.resolve([]);
    },
    isLineClosed: () => isClosed,
    async hold(ms) {
      await redis.set(holdKey, '1', 'PX', Math.max(1, Math.round(ms)));
    },
    close() {
      clearInterval(timer);
      redis.disconnect();
    },
  };
}
