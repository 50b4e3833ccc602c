import { formatCount } from '@daylift/ui/formats';
import { useSyncExternalStore } from 'react';
import classes from './CommunityCounter.module.css';

/** The count of a first visit, which is prerendered. */
const base = 1288;
const neverChanges = () => () => undefined;
const readCount = (): number => window.readCommunityCount?.() ?? base;

/** `before-paint.ts` writes the visitor's count before hydration. The pulse (every 8 s for 0.6 s) is CSS. */
export const CommunityCounter = () => {
  const count = useSyncExternalStore(neverChanges, readCount, () => base);
  return (
    <p className={classes.counter}>
      <span className={classes.sun} aria-hidden="true" />
      <span>
        <strong className={classes.count} data-community-count suppressHydrationWarning>
          {formatCount(count)}
        </strong>{' '}
        people start their day with us
      </span>
    </p>
  );
};
