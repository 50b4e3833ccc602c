import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccessMode,
  type IsolationLevel,
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import pg from 'pg';
import { PreparingClient } from './preparing-client.ts';

// A date is a local date and stays text; sums and counts are numbers; decimals stay exact text.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
pg.types.setTypeParser(pg.types.builtins.INT8, (value) => Number(value));

export interface DatabaseOptions {
  /** With the service's own role, which can only read its own schema (its search_path). */
  url: string;
  /** Maximum connections of this process. */
  max?: number;
  name: string;
  /** Limit for one statement; 0 for none. */
  statementTimeoutMs?: number;
  /** Limit for waiting for one lock; defaults to the statement's. */
  lockTimeoutMs?: number;
  onError: (error: Error) => void;
}

export function createDatabase<T>(options: DatabaseOptions): Kysely<T> {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: options.url,
    max: options.max ?? 5,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    // Idle sessions cost server memory, so extra ones close after a burst. A new session must plan all statements again.
    idleTimeoutMillis: 30_000,
    // A session keeps the statements that this process no longer uses.
    maxLifetimeSeconds: 86_400,
    // A lost connection must end its statement, and a stuck one its transaction.
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: options.lockTimeoutMs ?? 0,
    idle_in_transaction_session_timeout: 30_000,
  });
  // The pool replaces a broken connection; without listeners the error would end the process. The first error has the
  // reason; the pool and the driver repeat or replace it.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    client.once('error', options.onError);
    client.once('error', (reason) => failWith(client, reason));
  });
  pool.on('error', () => undefined);
  const db = new Kysely<T>({ dialect: new PostgresDialect({ pool }) });
  const begin = db.transaction.bind(db);
  db.transaction = () => retrying(begin());
  return db;
}

/** Throws if the database doesn't respond. */
export async function checkDatabase<T>(db: Kysely<T>): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Deadlocks and serialization failures: Postgres rolled everything back and expects a retry. */
const retryable = new Set<unknown>(['40P01', '40001']);
const maxAttempts = 4;

const callbacks = new WeakMap<object, Set<() => void>>();

/** Runs the callback once the transaction has committed, however often it is given. Not after a rollback. */
export function afterCommit<T>(trx: Transaction<T>, callback: () => void): void {
  const ofTransaction = callbacks.get(trx) ?? new Set();
  callbacks.set(trx, ofTransaction.add(callback));
}

function retrying<T>(builder: TransactionBuilder<T>): TransactionBuilder<T> {
  const execute = builder.execute.bind(builder);
  // Both return a new builder.
  const isolate = builder.setIsolationLevel.bind(builder);
  const limit = builder.setAccessMode.bind(builder);
  return Object.assign(builder, {
    setIsolationLevel: (level: IsolationLevel) => retrying(isolate(level)),
    setAccessMode: (mode: AccessMode) => retrying(limit(mode)),
    async execute<R>(callback: (trx: Transaction<T>) => Promise<R>): Promise<R> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          let committed: Transaction<T> | undefined;
          const result = await execute((trx) => {
            committed = trx;
            return callback(trx);
          });
          for (const run of callbacks.get(committed!) ?? []) run();
          return result;
        } catch (error) {
          const { code } = error as { code?: unknown };
          if (attempt === maxAttempts || !retryable.has(code)) throw error;
          await delay(Math.random() * 20 * attempt);
        }
      }
    },
  });
}

/** The driver reports only a generic error, which doesn't distinguish an outage from our own timeout. */
function failWith(client: pg.PoolClient, reason: Error): void {
  Object.assign(client, { query: () => Promise.reject(reason) });
}
