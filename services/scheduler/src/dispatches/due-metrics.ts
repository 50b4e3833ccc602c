import { hourMs } from '@daylift/clock/durations';
import { Counter, registerGauges } from '@daylift/server/metrics';
import type { SchedulerDeps } from '../deps.ts';
import { countDueBefore } from '../load/due-hours.repository.ts';
import type { Ended } from './dispatches.repository.ts';
import type { Dispatch } from './dispatches.table.ts';

const kindOf = ({ kind }: Pick<Dispatch, 'kind'>) => (kind === 'daily' ? 'daily' : 'announcement');

function counter(name: string, help: string): Counter<'kind'> {
  const counts = new Counter({ name, help, labelNames: ['kind'] });
  // Start at zero, so an unused counter isn't absent.
  for (const kind of ['daily', 'announcement']) counts.labels(kind).inc(0);
  return counts;
}

const due = counter('sms_texts_due_total', 'Texts due for eligible subscribers');
const missed = counter('sms_texts_missed_total', 'Due texts that were not released');
const skipped = counter(
  'sms_texts_skipped_total',
  'Texts not sent because the subscriber was not eligible',
);

/** Counts a release after its commit. */
export function countRelease(release: {
  outgoing: Pick<Dispatch, 'kind'>[];
  ended: Ended[];
}): void {
  for (const dispatch of release.outgoing) due.labels(kindOf(dispatch)).inc();
  for (const { dispatch, state } of release.ended) {
    if (state === 'missed') due.labels(kindOf(dispatch)).inc();
    (state === 'missed' ? missed : skipped).labels(kindOf(dispatch)).inc();
  }
}

/** Reports overdue texts from maintained counts, without reading any subscriber. */
export function measureOverdue({ db, clock }: Pick<SchedulerDeps, 'db' | 'clock'>): void {
  registerGauges([
    {
      name: 'sms_texts_overdue',
      help: 'Texts due before this hour without an outcome',
      read: () => countDueBefore(db, new Date(Math.floor(clock.now().getTime() / hourMs) * hourMs)),
    },
  ]);
}
