import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@daylift/clock/clock';
import type { EventEnvelope, EventTable } from '@daylift/contracts/event';
import { noteActivity } from '@daylift/server/activity';
import { type Logger, redact } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import { isUnreachable } from '@daylift/server/unreachable';
import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import type { JsMsg } from '@nats-io/jetstream';
import type { Kysely, Transaction } from 'kysely';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Bus, EventOwner } from './bus.ts';
import { eventsHandled } from './event-metrics.ts';
import type { EventTables } from './event-tables.ts';
import { parseEvent } from './parse-event.ts';
import { createLostEvents, type StoredEvent } from './replay-lost.ts';

/** Runs in the transaction that records the event; an error rolls both back. */
export type EventHandler<T, D> = (
  trx: Transaction<T>,
  data: D,
  event: EventEnvelope,
) => Promise<void>;

/** Handlers by event type for one owner's events. Types without a handler are ignored. */
export type EventHandlers<T, E extends EventTable> = {
  [K in keyof E]?: EventHandler<T, Static<E[K]>>;
};

/** One owner's events and their handlers in a service. */
export interface ConsumerDefinition<T> {
  owner: EventOwner;
  schemas: EventTable;
  handlers: Record<string, EventHandler<T, never> | undefined>;
}

export function consumerOf<T, E extends EventTable>(
  owner: EventOwner,
  schemas: E,
  handlers: EventHandlers<T, E>,
): ConsumerDefinition<T> {
  return { owner, schemas, handlers: handlers as ConsumerDefinition<T>['handlers'] };
}

export const maxTries = 5;
const retryDelaysMs = [100, 500, 2_000, 5_000];

interface ConsumerOptions<T extends EventTables> {
  /** The durable consumer's name. Its replicas share the work. */
  service: string;
  db: Kysely<T>;
  bus: Bus;
  clock: Clock;
  log: Logger;
}

export interface EventConsumer {
  loop: Loop;
  start(): void;
  stop(): Promise<void>;
}

/** The result of one event. */
export type Handled = 'handled' | 'duplicate' | 'ignored';

/** Validates an event and runs its handler exactly once, in one transaction with its inbox row. */
export async function handleEvent<T extends EventTables>(
  db: Kysely<T>,
  definition: ConsumerDefinition<T>,
  event: EventEnvelope,
  now: Date,
): Promise<Handled> {
  if (definition.handlers[event.type] === undefined) return 'ignored';
  return db.transaction().execute((trx) => applyEvent(trx, definition, event, now));
}

/** The same in a larger transaction. */
export async function applyEvent<T extends EventTables>(
  trx: Transaction<T>,
  definition: ConsumerDefinition<T>,
  event: EventEnvelope,
  now: Date,
): Promise<Handled> {
  const handler = definition.handlers[event.type];
  const schema = definition.schemas[event.type];
  if (handler === undefined || schema === undefined) return 'ignored';
  if (!Value.Check(schema, event.data))
    throw new PoisonEvent(`${event.type} does not match its schema`);
  if (!(await rememberEvent(trx, event, now))) return 'duplicate';
  await handler(trx, event.data as never, event);
  return 'handled';
}

/** Inserts the inbox row. Returns false if the event was already applied. */
export async function rememberEvent<T extends EventTables>(
  trx: Transaction<T>,
  event: { id: string; type: string },
  now: Date,
): Promise<boolean> {
  const inbox = trx as unknown as Transaction<EventTables>;
  const fresh = await inbox
    .insertInto('inbox')
    .values({ event_id: event.id, type: event.type, handled_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return fresh !== undefined;
}

/** An event that no retry can fix. */
export class PoisonEvent extends Error {}

/**
 * Returns whether Postgres or the connection is at fault rather than the event: lost or refused connections, a server
 * that stops or starts, deadlocks. An outage outlasts the five tries, and must not turn healthy events into failed
 * ones.
 */
export function isOutage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return /^(08|40|53)...$|^57P0[1-5]$|^E[A-Z_]+$/.test(code);
  return isUnreachable(error as Error);
}

/** Consumes one owner's events in order, and resumes after any loss of NATS or Postgres. */
export function createConsumer<T extends EventTables>(
  options: ConsumerOptions<T>,
  definition: ConsumerDefinition<T>,
): EventConsumer {
  const { bus, log } = options;
  const stopping = new AbortController();
  const stream = bus.streamOf(definition.owner);
  const tables = options.db as unknown as Kysely<EventTables>;
  const lost = createLostEvents({
    ...options,
    db: tables,
    owner: definition.owner,
    types: new Set(Object.keys(definition.schemas).filter((type) => definition.handlers[type])),
    signal: stopping.signal,
    apply: applyLost,
  });
  let done = 0;
  let finished: Promise<void> = Promise.resolve();

  /** Only the owner creates a stream and its consumers. */
  async function waitForConsumer(): Promise<void> {
    while (!(await bus.hasConsumer(definition.owner, options.service)))
      await delay(250, undefined, stopping);
  }

  async function take(): Promise<void> {
    const consumer = await bus.js.consumers.get(stream, options.service);
    while (!stopping.signal.aborted) {
      const messages = await consumer.fetch({ max_messages: 100, expires: 5_000 });
      const close = () => void messages.close();
      stopping.signal.addEventListener('abort', close, { once: true });
      for await (const message of messages) {
        await treat(message);
        done += 1;
      }
      stopping.signal.removeEventListener('abort', close);
      await lost.replayWhenDue();
    }
  }

  async function treat(message: JsMsg): Promise<void> {
    noteActivity();
    const event = parseEvent(message.string());
    try {
      if (event === null) throw new PoisonEvent('not an event');
      const handled = await handleTraced(message, event);
      await message.ackAck();
      if (handled !== 'ignored') lost.noteApplied(event.id, message.seq);
      count(event.type, handled);
    } catch (error) {
      const tries = message.info.deliveryCount;
      log.warn(
        { err: error, type: event?.type, event_id: event?.id, tries },
        'event handler failed',
      );
      if (isOutage(error)) lost.suspect(1_000);
      if (isOutage(error) || (tries < maxTries && !(error instanceof PoisonEvent))) {
        count(event?.type, 'failed');
        message.nak(retryDelaysMs[tries - 1] ?? 5_000);
        return;
      }
      await deadLetter(
        { subject: message.subject, text: message.string(), tries },
        event,
        error,
      ).then(
        () => {
          count(event?.type, 'parked');
          message.term();
        },
        () => message.nak(5_000),
      );
    }
  }

  function handleTraced(message: JsMsg, event: EventEnvelope): Promise<Handled> {
    const handle = () => handleEvent(options.db, definition, event, options.clock.now());
    const parent = message.headers?.get('traceparent');
    if (!parent || definition.handlers[event.type] === undefined) return handle();
    const attributes = {
      'messaging.system': 'nats',
      'messaging.message.id': event.id,
      'daylift.try': message.info.deliveryCount,
    };
    return inSpan(`process ${event.type}`, { kind: SpanKind.CONSUMER, attributes, parent }, handle);
  }

  function count(
    type: string | undefined,
    result: Handled | 'failed' | 'parked' | 'replayed',
  ): void {
    // Untrusted input must not become a label.
    const known = type !== undefined && definition.handlers[type] !== undefined;
    eventsHandled.labels(known ? type : 'other', result).inc();
  }

  async function deadLetter(
    message: { subject: string; text: string; tries: number },
    event: EventEnvelope | null,
    error: unknown,
  ): Promise<void> {
    await tables
      .insertInto('parked_events')
      .values({
        event_id: event?.id ?? crypto.randomUUID(),
        type: event?.type ?? message.subject,
        payload: message.text,
        tries: message.tries,
        error: redact(error instanceof Error ? error.message : String(error)),
        parked_at: options.clock.now(),
        ended_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function applyLost({ event, seq, subject, text }: StoredEvent): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      try {
        const handled = await handleEvent(options.db, definition, event, options.clock.now());
        lost.noteApplied(event.id, seq);
        count(event.type, handled === 'handled' ? 'replayed' : handled);
        done += 1;
        return handled === 'handled';
      } catch (error) {
        log.warn(
          { err: error, type: event.type, event_id: event.id, tries },
          'event handler failed for a replayed event',
        );
        if (isOutage(error)) throw error;
        if (tries === maxTries || error instanceof PoisonEvent) {
          await deadLetter({ subject, text, tries }, event, error);
          count(event.type, 'parked');
          return false;
        }
        await delay(retryDelaysMs[tries - 1], undefined, stopping);
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await waitForConsumer();
        await lost.recordTypes();
        lost.suspect();
        await lost.replayWhenDue();
        await take();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, stream }, 'stream connection lost; reconnecting');
        await delay(250);
      }
    }
  }

  return {
    loop: {
      name: `consume-${definition.owner}`,
      done: () => done,
      pending: async () => {
        const info = await bus.jsm.consumers.info(stream, options.service);
        return info.num_pending + info.num_ack_pending;
      },
    },
    start() {
      finished = run();
    },
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}
