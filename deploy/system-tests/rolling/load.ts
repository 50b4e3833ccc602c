import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LoadReport } from './load-driver.ts';
import type { Callers } from './requests.ts';

export interface LoadOptions {
  url: string;
  perSecond: number;
  callers: Callers;
}

/** Runs the requests of `requests.ts` in a separate thread, so the test itself delays none. */
export function startLoad(options: LoadOptions): { stop: () => Promise<LoadReport> } {
  const worker = new Worker(new URL('load-worker.ts', import.meta.url), { workerData: options });
  return {
    async stop() {
      const reported = once(worker, 'message') as Promise<[LoadReport]>;
      worker.postMessage('stop');
      const [report] = await reported;
      await worker.terminate();
      return report;
    },
  };
}
