import type { JobGroup } from '@daylift/jobs/queues';
import type { PushedText } from '../texts/push-texts.ts';

/** The BullMQ queue of texts. */
export const queueName = 'sms-texts';
/** Maximum texts per job. */
export const groupSize = 50;
/** Jobs that a worker runs at a time: while one waits for the provider, the next is read and marked. */
export const maxConcurrentGroups = 4;

/** Groups texts into jobs; transactional texts are urgent. A job continues the trace of its first text. */
export function jobsOf(texts: PushedText[]): JobGroup[] {
  const ofUrgency = (isUrgent: boolean): JobGroup[] => {
    const some = texts.filter(({ batch_id }) => ((batch_id ?? null) === null) === isUrgent);
    return Array.from({ length: Math.ceil(some.length / groupSize) }, (_, index) => {
      const group = some.slice(index * groupSize, (index + 1) * groupSize);
      const ids = group.map(({ id }) => id);
      return { ids, isUrgent, traceparent: group[0]?.traceparent ?? null };
    });
  };
  return [...ofUrgency(true), ...ofUrgency(false)];
}
