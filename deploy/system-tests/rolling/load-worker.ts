import { parentPort, workerData } from 'node:worker_threads';
import type { LoadOptions } from './load.ts';
import { startLoad } from './load-driver.ts';
import { requestOf } from './requests.ts';

const { url, perSecond, callers } = workerData as LoadOptions;
const load = startLoad({ url, perSecond, next: (index) => requestOf(index, callers) });
parentPort?.once('message', () => load.stop().then((report) => parentPort?.postMessage(report)));
