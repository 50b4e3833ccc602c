import { formatTime } from '@daylift/ui/formats';
import { VisuallyHidden } from '@mantine/core';
import classes from './LiveIndicator.module.css';
import { type LiveState, useLiveState } from './live-state.ts';

const wordsFor = ({ is, at }: LiveState): string => {
  if (is === 'connecting') return 'Connecting';
  if (is === 'live') return 'Live';
  return at === null ? 'Not live' : `Not live: figures of ${formatTime(at)}`;
};

/** Read out when it changes; the words beside it may change with every look. */
const announcements: Record<LiveState['is'], string> = {
  connecting: '',
  live: 'The figures follow what happens.',
  stale: 'The figures do not follow what happens at the moment.',
};

export const LiveIndicator = () => {
  const state = useLiveState();
  return (
    <div className={classes.indicator} data-is={state.is}>
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.words}>{wordsFor(state)}</span>
      <VisuallyHidden role="status">{announcements[state.is]}</VisuallyHidden>
    </div>
  );
};
