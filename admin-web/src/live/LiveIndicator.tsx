import { VisuallyHidden } from '@mantine/core';
import { Time } from '../components/Time.tsx';
import classes from './LiveIndicator.module.css';
import { type LiveState, useLiveState } from './live-state.ts';

const Words = ({ state: { is, at } }: { state: LiveState }) => {
  if (is === 'connecting') return 'Connecting';
  if (is === 'live') return 'Live';
  if (at === null) return 'Not live';
  return (
    <>
      Not live: last updated <Time at={at} format="timeOnly" />
    </>
  );
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
      <span className={classes.words}>
        <Words state={state} />
      </span>
      <VisuallyHidden role="status">{announcements[state.is]}</VisuallyHidden>
    </div>
  );
};
