import { schedulerApi } from '@daylift/contracts/scheduler.api';
import { runService } from '@daylift/events/run-service';
import { buildApp } from './app.ts';
import { loadSchedulerConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { createDeps } from './create-deps.ts';
import { preparePartitions } from './dispatches/partitions.loop.ts';
import { schedulerLoops } from './loops.ts';

await runService({
  api: schedulerApi,
  owner: 'scheduler',
  config: loadSchedulerConfig(),
  createDeps,
  prepare: preparePartitions,
  consumers,
  buildApp,
  loops: schedulerLoops,
});
