import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@daylift/clock/clock';
import type { EventEnvelope } from '@daylift/contracts/event';
import { noteActivity } from '@daylift/server/activity';
import { type Logger, redact } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import { inSpan, type Span, SpanKind, startSpan, traceparentOf } from '@daylift/telemetry/tracing';
import type { JsMsg } from '@nats-io/jetstream';
import type { Kysely } from 'kysely';
import type { Bus } from './bus.ts';
import { eventsHandled } from './event-metrics.ts';
import type { EventTables } from './event-tables.ts';
import {
  type ConsumerDefinition,
  type Handled,
  handleEvent,
  handleSet,
  isOutage,
  PoisonEvent,
} from './handle-event.ts';
import { parseEvent } from './parse-event.ts';
import { createLostEvents, type StoredEvent } from './replay-lost.ts';

export const maxTries = 5;
const maxEventsPerSet = 20;
/** More than NATS lets a consumer work on at once. */
const maxCounted = 1_000;
const gatherMs = 10;
/** By then, NATS has noticed that this process has left. It would deliver to it again. */
const handOverMs = 200;
const retryDelaysMs = [100, 500, 2_000, 5_000];

interface ConsumerOptions<T extends EventTables> {
  /** The durable consumer's name. Its replicas share the work. */
  service: string;
  /** Consumes urgent events only. The other consumer gets them too, so it alone watches for lost ones. */
  isUrgent?: boolean;
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

/** Consumes one owner's events in order, and resumes after any loss of NATS or Postgres. */
export function createConsumer<T extends EventTables>(
  options: ConsumerOptions<T>,
  definition: ConsumerDefinition<T>,
): EventConsumer {
  const { bus, log } = options;
  const stopping = new AbortController();
  const stream = bus.streamOf(definition.owner);
  const name = options.isUrgent ? `${options.service}-urgent` : options.service;
  const tables = options.db as unknown as Kysely<EventTables>;
  const lost = createLostEvents({
    ...options,
    db: tables,
    owner: definition.owner,
    types: new Set(Object.keys(definition.schemas).filter((type) => definition.handlers[type])),
    signal: stopping.signal,
    apply: applyLost,
  });
  const subjects = (of: object) => new Set(Object.keys(of).map((type) => bus.subjectOf(type)));
  const [frequent, handled] = [subjects(definition.sets), subjects(definition.handlers)];
  /**
   * Failed tries in this process by event, latest last. NATS counts deliveries: tries in all processes, but also events
   * handed over by stopping ones and tries during an outage.
   */
  const failures = new Map<string, number>();
  let finished: Promise<void> = Promise.resolve();

  /** Only the owner creates a stream and its consumers. */
  async function waitForConsumer(): Promise<void> {
    while (!(await bus.hasConsumer(definition.owner, name))) await delay(250, undefined, stopping);
  }

  async function take(): Promise<void> {
    const consumer = await bus.js.consumers.get(stream, name);
    const { ack_wait = 0 } = (await consumer.info(true)).config;
    const extendEveryMs = ack_wait / 1e6 / 3;
    while (!stopping.signal.aborted) {
      const messages = await consumer.fetch({ max_messages: 100, expires: 5_000 });
      const close = () => void messages.close();
      stopping.signal.addEventListener('abort', close, { once: true });
      const fetched: JsMsg[] = [];
      // The ack wait starts at the delivery, also of an event that waits for earlier ones. No effect on finished ones.
      const extending = setInterval(() => {
        // Throws once the connection is closed, and then NATS delivers again anyway.
        if (!bus.nats.isClosed() && !bus.nats.isDraining())
          for (const message of fetched) message.working();
      }, extendEveryMs);
      await processAll(messages, fetched).finally(() => clearInterval(extending));
      stopping.signal.removeEventListener('abort', close);
      if (!options.isUrgent) await lost.replayWhenDue();
    }
  }

  /**
   * Handles messages in order as they arrive, and waiting messages of one frequent type as a set. Adds each to `fetched`
   * when it arrives.
   */
  async function processAll(messages: AsyncIterable<JsMsg>, fetched: JsMsg[]): Promise<void> {
    const waiting: JsMsg[] = [];
    let isOver = false;
    let notify = (): void => undefined;
    const reading = (async () => {
      for await (const message of messages) {
        fetched.push(message);
        waiting.push(message);
        notify();
      }
    })().finally(() => {
      isOver = true;
      notify();
    });
    // Thrown below.
    reading.catch(() => undefined);
    while ((!isOver || waiting.length > 0) && !stopping.signal.aborted) {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => (notify = resolve));
        continue;
      }
      // The next ones are usually on their way, and a transaction costs as much as several of them.
      if (waiting.length === 1 && frequent.has(waiting[0]!.subject)) await delay(gatherMs);
      const set = waiting.splice(0, sizeOfSet(waiting));
      if (set.length > 1) await processSet(set);
      else for (const message of set) await processOne(message);
    }
    await reading;
    // Otherwise, they would be delivered again only after the ack wait.
    for (const message of waiting) message.nak(handOverMs);
  }

  /** Returns how many of the first messages share a frequent type. */
  function sizeOfSet(messages: JsMsg[]): number {
    const [first] = messages;
    if (first === undefined || !frequent.has(first.subject)) return 1;
    const other = messages.findIndex(({ subject }) => subject !== first.subject);
    return Math.min(other === -1 ? messages.length : other, maxEventsPerSet);
  }

  /** A failed set is handled again event by event, so only a poison event is set aside. */
  async function processSet(messages: JsMsg[]): Promise<void> {
    const spans: (Span | null)[] = [];
    try {
      const events = messages.map((message) => {
        const event = parseEvent(message.string());
        if (event === null) throw new PoisonEvent('not an event');
        const span = spanOf(message, event);
        spans.push(span);
        return { ...event, traceparent: span === null ? null : traceparentOf(span) };
      });
      const handled = await handleSet(options.db, definition, events, options.clock.now());
      if (handled.includes('handled')) noteActivity();
      await Promise.all(messages.map((message) => message.ackAck()));
      for (const [index, { id, type }] of events.entries()) {
        lost.noteApplied(id, messages[index]?.seq ?? 0);
        count(type, handled[index] ?? 'duplicate');
      }
    } catch (error) {
      log.warn({ err: error, subject: messages[0]?.subject }, 'set of events failed');
      for (const message of messages) await processOne(message);
    } finally {
      for (const span of spans) span?.end();
    }
  }

  async function processOne(message: JsMsg): Promise<void> {
    // Half of a service's messages. Parsing them and waiting for each ack would take as long as handling the others.
    if (!handled.has(message.subject)) {
      message.ack();
      return count(undefined, 'ignored');
    }
    const event = parseEvent(message.string());
    try {
      if (event === null) throw new PoisonEvent('not an event');
      const handled = await handleTraced(message, event);
      if (handled === 'handled') noteActivity();
      await message.ackAck();
      failures.delete(event.id);
      if (handled !== 'ignored') lost.noteApplied(event.id, message.seq);
      count(event.type, handled);
    } catch (error) {
      const tries = isOutage(error) ? message.info.deliveryCount : countFailure(event);
      log.warn(
        { err: error, type: event?.type, event_id: event?.id, tries },
        'event handler failed',
      );
      if (isOutage(error)) lost.suspect(1_000);
      const isLast = tries >= maxTries || (tries > 1 && message.info.deliveryCount >= maxTries);
      if (isOutage(error) || !(isLast || error instanceof PoisonEvent)) {
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

  /** Returns how often the event has failed here. */
  function countFailure(event: EventEnvelope | null): number {
    if (event === null) return 1;
    const tries = (failures.get(event.id) ?? 0) + 1;
    failures.delete(event.id);
    failures.set(event.id, tries);
    const [oldest = ''] = failures.keys();
    if (failures.size > maxCounted) failures.delete(oldest);
    return tries;
  }

  function handleTraced(message: JsMsg, event: EventEnvelope): Promise<Handled> {
    const handle = () => handleEvent(options.db, definition, event, options.clock.now());
    const step = stepOf(message, event);
    return step === null ? handle() : inSpan(`process ${event.type}`, step, handle);
  }

  const spanOf = (message: JsMsg, event: EventEnvelope): Span | null => {
    const step = stepOf(message, event);
    return step === null ? null : startSpan(`process ${event.type}`, step);
  };

  /** Returns null for an event without a trace or a handler. */
  function stepOf(message: JsMsg, event: EventEnvelope) {
    const parent = message.headers?.get('traceparent');
    if (!parent || definition.handlers[event.type] === undefined) return null;
    const attributes = {
      'messaging.system': 'nats',
      'messaging.message.id': event.id,
      'daylift.try': message.info.deliveryCount,
    };
    return { kind: SpanKind.CONSUMER, attributes, parent };
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
        noteActivity();
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
        if (!options.isUrgent) {
          await lost.recordTypes();
          lost.suspect();
          await lost.replayWhenDue();
        }
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
      name: `consume-${definition.owner}${options.isUrgent ? '-urgent' : ''}`,
      pending: async () => {
        const info = await bus.jsm.consumers.info(stream, name);
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
