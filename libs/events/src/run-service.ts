import type { Clock } from '@daylift/clock/clock';
import type { Api } from '@daylift/contracts/endpoint';
import type { EventEnvelope } from '@daylift/contracts/event';
import { checkDatabase, createDatabase } from '@daylift/database/create-database';
import type { Server } from '@daylift/server/create-server';
import type { AppSettings } from '@daylift/server/implement';
import type { Logger, LogLevel } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import { type ProcessConfig, type ProcessContext, runProcess } from '@daylift/server/run-process';
import type { Kysely } from 'kysely';
import type { EventOwner } from './access.ts';
import type { EventTables } from './event-tables.ts';
import type { ConsumerDefinition } from './handle-event.ts';
import { type JoinedEvents, joinEvents } from './join-events.ts';

export interface ServiceConfig extends ProcessConfig {
  DATABASE_URL: string;
  NATS_URL: string;
  NATS_REPLICAS: number;
  NATS_STREAM_MAX_BYTES: number;
  IDENTITY_PUBLIC_KEYS: string;
}

/** What the parts of a service are made from. */
export interface ServiceContext<T> {
  db: Kysely<T>;
  clock: Clock;
  log: Logger;
  onStop: ProcessContext['onStop'];
  /** Runs a loop immediately. */
  wake(loop: string): void;
  /** Returns the newest published event of a type that its stream still keeps, or null. */
  newestEvent(type: string): Promise<EventEnvelope | null>;
}

/** What `prepare` and `loops` of a service get beside its dependencies. */
export interface Running<T, C> {
  config: C;
  log: Logger;
  events: JoinedEvents<T>;
}

interface Service<T, C, D> {
  api: Api;
  /** Owner of its event stream. */
  owner: EventOwner;
  config: C;
  /** Maximum connections to the database. */
  connections?: number;
  createDeps(config: C, context: ServiceContext<T>): D | Promise<D>;
  /** Runs before the first request, once the database responds. */
  prepare?(deps: NoInfer<D>, running: Running<T, C>): Promise<unknown>;
  consumers(deps: NoInfer<D>): ConsumerDefinition<T>[];
  buildApp(deps: NoInfer<D>, settings: AppSettings): Promise<Server>;
  loops?(deps: NoInfer<D>, running: Running<T, C>): Loop[];
  /** More readiness checks than database and events. */
  readiness?(deps: NoInfer<D>): Record<string, () => Promise<unknown>>;
  /** Runs at shutdown, while the last requests are still served. */
  stop?(deps: NoInfer<D>): Promise<void>;
}

/** Runs a service until the process is stopped: database, events, HTTP server and loops. */
export async function runService<T extends EventTables, C extends ServiceConfig, D>(
  service: Service<T, C, D>,
): Promise<void> {
  const { api, owner, config } = service;
  await runProcess(api.service, config, async (process) => {
    const { clock, log, onStop } = process;
    const db = createDatabase<T>({
      url: config.DATABASE_URL,
      name: api.service,
      ...(service.connections && { max: service.connections }),
      onError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
    onStop(() => db.destroy());
    const joined = await joinEvents(process, {
      owner,
      db,
      natsUrl: config.NATS_URL,
      natsReplicas: config.NATS_REPLICAS,
      streamMaxBytes: config.NATS_STREAM_MAX_BYTES,
    });
    const deps = await service.createDeps(config, {
      ...{ db, clock, log, onStop },
      wake: process.nudge,
      newestEvent: joined.newest,
    });
    const running = { config, log, events: joined };
    if (service.prepare !== undefined) {
      await process.untilReachable(() => checkDatabase(db));
      await service.prepare(deps, running);
    }
    const events = joined.consume(service.consumers(deps));
    const app = await service.buildApp(deps, {
      identityPublicKeys: config.IDENTITY_PUBLIC_KEYS,
      logLevel: config.LOG_LEVEL as LogLevel,
      readiness: {
        database: () => checkDatabase(db),
        events: () => joined.check(),
        ...service.readiness?.(deps),
      },
    });
    return {
      app,
      loops: [...events.loops, ...(service.loops?.(deps, running) ?? [])],
      start: events.start,
      stop: async () => service.stop?.(deps),
    };
  });
}
