import type { Me } from '@daylift/contracts/accounts.http';
import { announce, announceFailure } from '../components/announce.ts';
import { isDeliveryOn } from './current-user.ts';
import { useToday } from './today.ts';
import { useUpdateMe } from './update-me.ts';

/** Returns the end of the current pause, or null if none or past. */
export const usePausedUntil = (user: Me): string | null => {
  const today = useToday(user.timezone);
  return user.paused_until !== null && user.paused_until > today ? user.paused_until : null;
};

export const useDeliveryState = (user: Me): 'Enabled' | 'Disabled' | 'Paused' => {
  const pausedUntil = usePausedUntil(user);
  if (!isDeliveryOn(user)) return 'Disabled';
  return pausedUntil === null ? 'Enabled' : 'Paused';
};

/** Returns whether texts come only after the subscriber does something. That's then the main action of each page. */
export const useAreTextsOff = (user: Me): boolean =>
  useDeliveryState(user) !== 'Enabled' || user.consent !== 'granted' || Boolean(user.unreachable);

export const useResume = () => {
  const update = useUpdateMe(() => announce('Your texts are back on.', 'good'));
  const resume = () =>
    update.mutate(
      { paused_until: null },
      { onError: (error) => announceFailure('update profile', error) },
    );
  return { resume, busy: update.isPending };
};
