import type { Clock } from '@daylift/clock/clock';
import type { EventEnvelope } from '@daylift/contracts/event';
import type { Logger } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import { consumedOwners, type EventOwner, urgentTypes } from './access.ts';
import { connectBus } from './bus.ts';
import { createConsumer } from './consume.ts';
import { createErasureLoop, type ErasureTables } from './erase.ts';
import { measureOutbox, measureStream } from './event-metrics.ts';
import type { EventTables } from './event-tables.ts';
import type { ConsumerDefinition } from './handle-event.ts';
import { parseEvent } from './parse-event.ts';
import { onPublished } from './publish.ts';
import { createRelay } from './relay.ts';

interface Process {
  clock: Clock;
  log: Logger;
  onStop(close: () => Promise<unknown> | unknown): void;
  nudge(loop: string): void;
}

export interface JoinedEvents<T> {
  /** Throws while disconnected or without a stream, and at startup while NATS has too few replicas. */
  check(): Promise<void>;
  /** Returns the newest event of one of the owner's types that its stream still keeps, or null. */
  newest(type: string): Promise<EventEnvelope | null>;
  /** For an owner of events with personal data. */
  erasureLoop<P extends ErasureTables>(db: Kysely<P>): Loop;
  /** Returns the loops of the consumers; consuming starts with `start`. */
  consume(subscriptions: ConsumerDefinition<T>[]): { loops: Loop[]; start(): void };
}

const hasUrgentHandlers = <T>({ handlers }: ConsumerDefinition<T>): boolean =>
  Object.keys(handlers).some((type) => urgentTypes.has(type));

/** Connects a service to NATS: the relay of its outbox and its consumers. Ends with the process. */
export async function joinEvents<T extends EventTables>(
  { clock, log, onStop, nudge }: Process,
  options: {
    owner: EventOwner;
    db: Kysely<T>;
    natsUrl: string;
    natsReplicas: number;
    streamMaxBytes: number;
  },
): Promise<JoinedEvents<T>> {
  const { owner, db } = options;
  const bus = await connectBus({
    url: options.natsUrl,
    name: owner,
    replicas: options.natsReplicas,
    maxBytes: options.streamMaxBytes,
  });
  onStop(() => bus.close());
  const wakeRelay = () => nudge('outbox-relay');
  onStop(onPublished(wakeRelay));
  measureOutbox(db, clock);
  measureStream(bus, owner);
  let hadCopies = false;
  return {
    async check() {
      await bus.check();
      await bus.ensureStream(owner);
      // A running process stays useful, even if NATS loses replicas later.
      if (!hadCopies) await bus.checkCopies(owner);
      hadCopies = true;
    },
    async newest(type) {
      const text = await bus.newest(owner, type);
      return text === null ? null : parseEvent(text);
    },
    erasureLoop: (tables) => createErasureLoop({ db: tables, bus, owner }),
    consume(subscriptions) {
      for (const { owner: other } of subscriptions)
        if (!consumedOwners[owner].includes(other))
          throw new Error(`consumedOwners in access.ts does not list ${other} for ${owner}.`);
      const options = { service: owner, db, bus, clock, log };
      const consumers = subscriptions.flatMap((one) => [
        createConsumer(options, one),
        ...(hasUrgentHandlers(one) ? [createConsumer({ ...options, isUrgent: true }, one)] : []),
      ]);
      onStop(() => Promise.all(consumers.map((one) => one.stop())));
      return {
        loops: [
          ...createRelay({ db, bus, owner, clock, log, wake: wakeRelay }),
          ...consumers.map((one) => one.loop),
        ],
        start: () => {
          for (const one of consumers) one.start();
        },
      };
    },
  };
}
