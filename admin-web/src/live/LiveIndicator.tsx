import { formatTime } from '@daylift/ui/formats';
import { VisuallyHidden } from '@mantine/core';
import classes from './LiveIndicator.module.css';
import { type LiveState, useLiveState } from './live-state.ts';

const wordsFor = ({ is, at }: LiveState): string => {
  if (is === 'connecting') return 'Connecting';
  if (is === 'live') return 'Live';
  return at === null ? 'Not live' : `Not live: last updated ${formatTime(at)}`;
};

/** Announced to screen readers when the state changes. */
const announcements: Record<LiveState['is'], string> = {
  connecting: '',
  live: 'Live updates are on.',
  stale: 'Live updates are paused.',
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
