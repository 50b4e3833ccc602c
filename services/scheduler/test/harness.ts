import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { EventEnvelope } from '@daylift/contracts/event';
import type { ReleasedDispatch } from '@daylift/contracts/scheduler.events';
import type { ForecastSender, SenderLoad } from '@daylift/contracts/senders.http';
import type { TextOutcome } from '@daylift/contracts/sms.events';
import { createDatabase } from '@daylift/database/create-database';
import { type Handled, handleEvent } from '@daylift/events/handle-event';
import { type Identity, identityHeader } from '@daylift/server/identity';
import type { InternalClient } from '@daylift/server/internal-client';
import type { Loop } from '@daylift/server/loops';
import { createFixedClock } from '@daylift/testing/fixed-clock';
import { signTestIdentity, testPublicKeys } from '@daylift/testing/identity';
import { publishedEvents } from '@daylift/testing/published';
import { createTestDatabase } from '@daylift/testing/test-database';
import { buildApp } from '../src/app.ts';
import { consumers } from '../src/consumers.ts';
import type { SchedulerDatabase } from '../src/database.ts';
import type { SchedulerDeps } from '../src/deps.ts';
import { horizonMs } from '../src/dispatches/horizon.ts';
import { schedulerLoops } from '../src/loops.ts';

const sign = signTestIdentity('scheduler');

const tables = [
  'subscribers',
  'zones',
  'scheduled_messages',
  'deleted_messages',
  'templates',
  'past_templates',
  'sequence_texts',
  'dispatches',
  'batches',
  'announcement_plans',
  'content_alerts',
  'library_runway',
  'library_warnings',
  'staff_sends',
  'lost_days_progress',
  'rehearsals',
  'runs',
  'heartbeats',
  'delivery_slots',
  'delivery_slot_changes',
  'due_hours',
  'due_hour_changes',
  'outbox',
  'inbox',
] as const;

/** A released text with its batch. */
export type Release = ReleasedDispatch & {
  batch: { id: string; kind: string; name: string; created_at: string };
};

export type Scheduler = Awaited<ReturnType<typeof openScheduler>>;

/** The pool with one sender, or with others. */
export const aSenderLoad = (load: Partial<SenderLoad> = {}): SenderLoad => ({
  account_per_second: 100,
  senders: [aSender()],
  subscribers: {},
  ...load,
});
export const aSender = (sender: Partial<ForecastSender> = {}): ForecastSender => ({
  number: '+18885550100',
  type: 'toll_free',
  country: 'US',
  state: 'active',
  weight: 1,
  per_hour: 360_000,
  rates: [],
  days: [],
  ...sender,
});

/** The service with its own database, without NATS; sms-gateway's two responses are canned. */
export async function openScheduler(options: { spreadMs?: number } = {}) {
  const clock = createFixedClock('2027-03-05T12:00:00Z');
  const database = await createTestDatabase({
    schema: 'scheduler',
    folder: join(import.meta.dirname, '..', 'migrations'),
  });
  const db = createDatabase<SchedulerDatabase>({
    url: database.url,
    name: 'scheduler-test',
    max: 12,
    onError: () => undefined,
  });
  const responses: Record<string, unknown> = {
    '/internal/price': { per_part: '0.0040', currency: 'USD', rate_per_second: 100 },
    '/internal/queue': { pending: 3, processing: 2 },
    '/internal/undelivered': { has_texts: false, stopped: null, groups: [], people: [] },
    '/internal/undelivered of announcements': {
      has_texts: false,
      stopped: null,
      groups: [],
      people: [],
    },
    '/internal/people': [],
    '/internal/waiting-texts': [],
    '/internal/sender-load': aSenderLoad(),
  };
  const others: InternalClient = {
    get: async <T>(path: string) => {
      const [name = '', query] = path.split('?');
      const ofAnnouncements = new URLSearchParams(query).get('kind') === 'announcement';
      return responses[ofAnnouncements ? `${name} of announcements` : name] as T;
    },
  };
  const deps: SchedulerDeps = {
    db,
    clock,
    accounts: others,
    smsGateway: others,
    spreadMs: options.spreadMs ?? 0,
    batchSize: 50,
    operatorTimezone: 'America/New_York',
    manualSendWaitMs: 50,
    retentionMonths: 25,
  };
  const app = await buildApp(deps, {
    identityPublicKeys: testPublicKeys,
    logLevel: 'silent',
    readiness: { database: async () => undefined },
  });
  const receiving = consumers(deps);
  // Tests request their own forecasts.
  const loops = schedulerLoops(deps).filter(({ name }) => name !== 'request-forecast');

  /** Delivers an event; pass `id` to deliver it twice. */
  async function receive(type: string, data: object, id: string = randomUUID()): Promise<Handled> {
    const event: EventEnvelope = { id, type, occurred_at: clock.now().toISOString(), data };
    const subscribed = receiving.find((one) => type.startsWith(`${one.owner}.`));
    if (subscribed === undefined) throw new Error(`No consumer of ${type}`);
    return handleEvent(db, subscribed, event, clock.now());
  }

  const settledAt = new Map<Loop, number>();

  /** Runs all loops until nothing is due, background work only once enough time has passed. */
  async function settle(): Promise<void> {
    const now = clock.now().getTime();
    const due = loops.filter(
      (loop) =>
        loop.settleEveryMs === undefined || now - (settledAt.get(loop) ?? 0) >= loop.settleEveryMs,
    );
    while ((await drainAll(due)) > 0);
    for (const loop of due) settledAt.set(loop, now);
  }

  /** Returns the next instant at which a loop has work. */
  async function nextWorkMs(): Promise<number> {
    const all = await Promise.all(loops.map((loop) => loop.nextAt?.() ?? null));
    return Math.min(...all.filter((at) => at !== null).map((at) => at.getTime()));
  }

  async function releases(): Promise<Release[]> {
    const events = await publishedEvents(db, 'scheduler.dispatches.released');
    return events.flatMap((event) => {
      const { batch, dispatches } = event.data as {
        batch: Release['batch'];
        dispatches: ReleasedDispatch[];
      };
      return dispatches.map((one) => ({ ...one, batch }));
    });
  }

  /** Returns released texts, without repeated releases. */
  async function texts(): Promise<Release[]> {
    return [...new Map((await releases()).map((one) => [one.dispatch_id, one])).values()];
  }

  async function goTo(instant: string): Promise<void> {
    clock.set(instant);
    await settle();
  }

  const settledEvent = (
    release: Release,
    outcome: TextOutcome,
    more: { reason?: string; is_test?: boolean } = {},
  ) => ({
    dispatch_id: release.dispatch_id,
    user_id: release.user_id,
    local_date: release.local_date,
    batch_id: release.batch.id,
    scheduled_message_id: release.scheduled_message_id,
    outcome,
    reason: more.reason ?? null,
    is_test: more.is_test ?? false,
    settled_at: clock.now().toISOString(),
  });
  const answer = (...args: Parameters<typeof settledEvent>): Promise<Handled> =>
    receive('sms.texts.settled', { results: [settledEvent(...args)] });

  const answered = new Set<string>();
  /** Reports this outcome of each released text, once. */
  async function answerAll(outcome: TextOutcome = 'accepted'): Promise<void> {
    const keyOf = ({ dispatch_id }: Release) => `${dispatch_id} ${outcome}`;
    const fresh = (await texts()).filter((one) => !answered.has(keyOf(one)));
    for (const release of fresh) {
      answered.add(keyOf(release));
      await answer(release, outcome);
    }
  }

  /**
   * Advances by steps: to those with work, to the last one, and so often that each text is planned before it is due.
   * Each released text ends like this.
   */
  async function pass(
    { from, to, stepMs }: { from: string; to: string; stepMs: number },
    outcome: TextOutcome = 'accepted',
  ): Promise<void> {
    const [start, end] = [Date.parse(from), Date.parse(to)];
    let workMs = await nextWorkMs();
    for (let at = start; at <= end; at += stepMs) {
      if (at < workMs && at < end && (at - start) % horizonMs > 0) continue;
      await goTo(new Date(at).toISOString());
      await answerAll(outcome);
      workMs = await nextWorkMs();
    }
  }

  function call(method: 'GET' | 'POST', url: string, identity: Identity | null, payload?: object) {
    const headers = identity === null ? {} : { [identityHeader]: sign(identity) };
    return app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  }

  return {
    app,
    db,
    clock,
    deps,
    loops,
    receive,
    settle,
    goTo,
    pass,
    answers: responses,
    releases,
    texts,
    answer,
    answerAll,
    settledEvent,
    call,
    /** Empties every table: tests share a database, which is slow to create. */
    async reset(now: string): Promise<void> {
      clock.set(now);
      settledAt.clear();
      answered.clear();
      // Faster than truncating, which makes new files for every partition and index.
      for (const table of tables) await db.deleteFrom(table).execute();
    },
    dispatches: (userId?: string) =>
      db
        .selectFrom('dispatches')
        .selectAll()
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
        .orderBy('local_date')
        .orderBy('kind')
        .execute(),
    subscriber: (userId: string) =>
      db
        .selectFrom('subscribers')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow(),
    close: async () => {
      await app.close();
      await db.destroy();
      await database.drop();
    },
  };
}

/** Runs each loop until it finds nothing, and returns how much all did. */
async function drainAll(loops: Loop[]): Promise<number> {
  let done = 0;
  for (const { run } of loops)
    for (let found = (await run?.()) ?? 0; found > 0; found = (await run?.()) ?? 0) done += found;
  return done;
}

export const asAdmin = (role: 'viewer' | 'operator' | 'owner'): Identity => ({
  kind: 'admin',
  admin_id: randomUUID(),
  username: role,
  role,
  session_version: 0,
});
export const asUser = (user_id: string = randomUUID()): Identity => ({
  kind: 'user',
  user_id,
  session_version: 0,
});
