import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock, type TravellingClock } from '@daylift/clock/clock';
import { connectSandboxClock, followSandboxClock } from '@daylift/clock/sandbox-clock';
import { Type } from 'typebox';
import type { Server } from './create-server.ts';
import { waitForClients } from './drain.ts';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { createLoops, type Loop, type Loops } from './loops.ts';
import { createOpsServer } from './ops-server.ts';
import { isUnreachable } from './unreachable.ts';

export interface ProcessContext {
  clock: Clock;
  log: Logger;
  onStop(close: () => Promise<unknown> | unknown): void;
  nudge(loop: string): void;
  /** Waits until a required server is reachable. Other errors are thrown. */
  untilReachable(connect: () => Promise<unknown>): Promise<void>;
}

export interface ProcessParts {
  /** Owner of its database. Defaults to the process name. */
  service?: string;
  app: Server;
  loops: Loop[];
  start?(): void;
  stop?(): Promise<void>;
}

const SettleRequest = Type.Object({
  offset_ms: Type.Integer({ minimum: -8e15, maximum: 8e15 }),
  outside: Type.Optional(Type.String()),
});

export interface ProcessConfig {
  PORT: number;
  OPS_PORT: number;
  HOST: string;
  LOG_LEVEL: string;
  SANDBOX_URL?: string | undefined;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
}

const patienceMs = 60_000;
const againAfterMs = 500;
const logEveryMs = 10_000;

/**
 * Runs one process: clock, connections, server, loops. On SIGTERM or SIGINT, closes them in reverse order within 20 s.
 * SIGTERM stops one replica and gives its clients time to leave; SIGINT stops the whole product.
 */
export async function runProcess(
  name: string,
  config: ProcessConfig,
  build: (context: ProcessContext) => Promise<ProcessParts>,
): Promise<void> {
  const log = createLogger(name, config.LOG_LEVEL as LogLevel);
  const stopping = new AbortController();
  const closers: (() => Promise<unknown> | unknown)[] = [];
  const stopReason = handleSignals(log, stopping, closers);
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint !== undefined) {
    const { exportTraces } = await import('@daylift/telemetry/export-traces');
    const { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
    closers.push(exportTraces({ service: name, endpoint, headers, ratio }));
  }

  const travelling =
    config.SANDBOX_URL === undefined
      ? null
      : await connectSandboxClock(config.SANDBOX_URL, stopping.signal);
  const clock = travelling ?? systemClock;
  let loops: Loops | null = null;
  const parts = await build({
    clock,
    log,
    onStop: (close) => closers.push(close),
    nudge: (loop) => loops?.nudge(loop),
    untilReachable: (connect) => untilReachable(connect, log, stopping.signal),
  });
  loops = createLoops(parts.loops, { clock, log });
  const ops = createOpsServer(parts.app);
  if (travelling !== null) registerSettle(ops, travelling, loops);
  // After the hooks of the parts, which end their streams. On SIGINT, clients stop as well.
  parts.app.addHook('preClose', async () => {
    if (stopReason() === 'SIGTERM') await waitForClients(parts.app);
  });
  const address = await parts.app.listen({ port: config.PORT, host: config.HOST });
  const opsAddress = await ops.listen({ port: config.OPS_PORT, host: config.HOST });
  closers.push(() => ops.close());
  parts.start?.();
  loops.start();
  const running = loops;
  // In parallel, because together they could exceed the time limit.
  closers.push(() => waitForAll([parts.app.close(), running.stop(), parts.stop?.()]));
  if (travelling !== null && config.SANDBOX_URL !== undefined) {
    void followSandboxClock({
      sandboxUrl: config.SANDBOX_URL,
      process: name,
      service: parts.service,
      settleUrl: `${opsAddress}/internal/settle`,
      clock: travelling,
      signal: stopping.signal,
    });
  }
  log.info({ address, ops_address: opsAddress }, 'ready');
}

/** A server or its DNS name can become available later than this process. */
async function untilReachable(
  connect: () => Promise<unknown>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + patienceMs;
  let nextLogAt = 0;
  for (;;) {
    try {
      await connect();
      return;
    } catch (error) {
      signal.throwIfAborted();
      const now = performance.now();
      if (!isUnreachable(error as Error) || now > until) throw error;
      if (now >= nextLogAt) {
        log.warn({ err: error }, 'server unreachable; retrying');
        nextLogAt = now + logEveryMs;
      }
      await delay(againAfterMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Lets the sandbox set the process's clock. Validates the input, because others may reach the route too. */
export function registerSettle(
  app: Server,
  clock: TravellingClock,
  loops: Pick<Loops, 'settle'>,
): void {
  app.post('/internal/settle', { schema: { body: SettleRequest } }, async (request) => {
    clock.adopt(request.body.offset_ms);
    return loops.settle(request.body.outside);
  });
}

async function waitForAll(endings: (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(endings)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function handleSignals(
  log: Logger,
  stopping: AbortController,
  closers: (() => Promise<unknown> | unknown)[],
): () => string | null {
  let stopReason: string | null = null;
  const stop = async (why: string, code: number) => {
    if (stopping.signal.aborted) return;
    log.info({ why }, 'stopping');
    setTimeout(() => process.exit(1), 20_000).unref();
    stopReason = why;
    // Pending waits reject with this error.
    stopping.abort(new Error(`stopping: ${why}`));
    for (const close of closers.reverse()) {
      await Promise.resolve(close()).catch((error: unknown) =>
        log.error({ err: error }, 'cleanup failed'),
      );
    }
    process.exit(code);
  };
  process.once('SIGTERM', () => void stop('SIGTERM', 0));
  process.once('SIGINT', () => void stop('SIGINT', 0));
  process.on('uncaughtException', (error) => {
    // Startup waits were aborted by the stop.
    if (stopping.signal.aborted && error === stopping.signal.reason) return;
    log.fatal({ err: error }, 'uncaught error');
    void stop('uncaught error', 1);
  });
  return () => stopReason;
}
