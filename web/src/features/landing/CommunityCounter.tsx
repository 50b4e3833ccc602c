import { formatCount } from '@daylift/ui/formats';
import { useState } from 'react';
import classes from './CommunityCounter.module.css';
import { readCommunityCount } from './community-counter.ts';

/** The pulse, every 8 s for 0.6 s, is the style sheet's. */
export const CommunityCounter = () => {
  const [count] = useState(readCommunityCount);
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
