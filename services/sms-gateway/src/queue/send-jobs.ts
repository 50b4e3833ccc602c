import { type JobWorkers, runWorkers } from '@daylift/jobs/run-worker';
import { noteActivity } from '@daylift/server/activity';
import { type SenderDeps, sendTexts } from '../texts/send-texts.ts';
import { maxConcurrentGroups } from './send-queue.ts';

/** Runs the jobs of the queue. A job is done once its remaining texts only wait for slots of full senders. */
export function runSendJobs(
  deps: SenderDeps,
  queue: { redisUrl: string; name: string; onError: (error: Error) => void },
): JobWorkers {
  const onFailed = (error: unknown) => deps.log.warn({ err: error }, 'send attempts failed');
  const inLine = new Set<Promise<void>>();
  const workers = runWorkers({
    ...queue,
    concurrency: maxConcurrentGroups,
    handle: async ({ ids, isUrgent }) => {
      await sendTexts(deps, ids, {
        isUrgent,
        continueLater(rest) {
          const ended = rest.catch(onFailed).finally(() => {
            noteActivity();
            inLine.delete(ended);
          });
          inLine.add(ended);
        },
      }).finally(noteActivity);
    },
    onFailed,
  });
  return {
    // Before connections close, results of running calls are recorded and waiting texts are left to other workers.
    async close() {
      deps.limiter.closeLine();
      await workers.close();
      await Promise.all(inLine);
    },
  };
}
