import { formatCount } from '@daylift/ui/formats';
import { useSyncExternalStore } from 'react';
import classes from './CommunityCounter.module.css';
import { base, readCommunityCount } from './community-counter.ts';

let shown: number | undefined;
/** Computed once per visit. */
const readShown = (): number => {
  shown ??= readCommunityCount();
  return shown;
};
const neverChanges = () => () => undefined;

/** Prerendered with the base count. The pulse (every 8 s for 0.6 s) is CSS. */
export const CommunityCounter = () => {
  const count = useSyncExternalStore(neverChanges, readShown, () => base);
  return (
    <p className={classes.counter}>
      <span className={classes.sun} aria-hidden="true" />
      <span>
        <strong className={classes.count}>{formatCount(count)}</strong> people start their day with
        us
      </span>
    </p>
  );
};
