import { minuteMs } from '@daylift/clock/durations';
import { redact } from '@daylift/server/logger';
import type { Loop } from '@daylift/server/loops';
import type { BillingDeps } from '../deps.ts';
import { isUnavailable, keepsItsKey } from '../stripe-client.ts';
import {
  claimTasks,
  countDueTasks,
  finishTask,
  recordFailedTry,
  type Task,
  type TaskKind,
} from './provider-tasks.repository.ts';

/** Runs a task once; `key` is its idempotency key at the provider. */
export type TaskHandler = (deps: BillingDeps, subject: string, key: string) => Promise<void>;
export type TaskHandlers = Record<TaskKind, TaskHandler>;

const batchSize = 8;
const maxTries = 5;
const maxPauseMs = 5 * minuteMs;

/**
 * Runs due tasks, several at a time. Retries an unreachable provider indefinitely. A task that fails for another
 * reason five times becomes a failed task until it is enqueued again.
 */
export function createProviderTaskLoop(deps: BillingDeps, handlers: TaskHandlers): Loop {
  const { db, clock } = deps;
  const kinds = Object.keys(handlers);

  async function runTask(task: Task): Promise<void> {
    try {
      const handle = handlers[task.kind as TaskKind];
      await handle(deps, task.subject, `${task.kind}:${task.subject}:${task.attempt}`);
      await finishTask(db, task, clock.now());
    } catch (error) {
      await recordFailure(task, error);
    }
  }

  async function recordFailure(task: Task, error: unknown): Promise<void> {
    const now = clock.now();
    const tries = task.tries + 1;
    const isFinal = tries >= maxTries && !isUnavailable(error);
    deps.log.warn(
      { err: error, kind: task.kind, tries, is_final: isFinal },
      'provider task failed',
    );
    await recordFailedTry(db, task, {
      error: redact(error instanceof Error ? error.message : String(error)).slice(0, 500),
      tries,
      attempt: keepsItsKey(error) ? task.attempt : task.attempt + 1,
      nextTryAt: new Date(now.getTime() + Math.min(1_000 * 2 ** tries, maxPauseMs)),
      failedAt: isFinal ? now : null,
    });
  }

  return {
    name: 'provider-tasks',
    everyMs: 1_000,
    async run() {
      const tasks = await claimTasks(db, clock.now(), { kinds, limit: batchSize });
      await Promise.all(tasks.map(runTask));
      return tasks.length;
    },
    // No nextAt: only retries are due later, and moving time need not stop for them.
    pending: () => countDueTasks(db, clock.now(), kinds),
  };
}
