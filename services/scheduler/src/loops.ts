import type { Loop } from '@daylift/server/loops';
import { planAnnouncementsLoop } from './announcements/announcements.loop.ts';
import { completeMessagesLoop } from './completions/completions.loop.ts';
import { contentAheadLoop } from './content-ahead/content-ahead.loop.ts';
import { deliverySlotsLoop } from './delivery-slots/delivery-slots.loop.ts';
import type { SchedulerDeps } from './deps.ts';
import { partitionsLoop } from './dispatches/partitions.loop.ts';
import { releaseDispatchesLoop } from './dispatches/release.loop.ts';
import { republishReleasesLoop } from './dispatches/republish.loop.ts';
import { publishDueTextsLoop } from './due-texts/due-texts.loop.ts';
import { forecastLoop, requestForecastLoop } from './forecast/forecast.loop.ts';
import { libraryRunwayLoop } from './library-runway/library-runway.loop.ts';
import { dueHoursLoop } from './load/due-hours.loop.ts';
import { lostDaysLoop } from './lost-days/lost-days.loop.ts';
import { manualSendsLoop } from './manual-sends/manual-sends.loop.ts';
import { planDispatchesLoop } from './planning/planner.loop.ts';

/** Background tasks. Each is safe on any number of replicas. */
export const schedulerLoops = (deps: SchedulerDeps): Loop[] => [
  partitionsLoop(deps),
  planDispatchesLoop(deps),
  planAnnouncementsLoop(deps),
  releaseDispatchesLoop(deps),
  republishReleasesLoop(deps),
  manualSendsLoop(deps),
  requestForecastLoop(deps),
  forecastLoop(deps),
  completeMessagesLoop(deps),
  deliverySlotsLoop(deps),
  dueHoursLoop(deps),
  publishDueTextsLoop(deps),
  contentAheadLoop(deps),
  libraryRunwayLoop(deps),
  lostDaysLoop(deps),
];
