import { useSyncExternalStore } from 'react';

/** Whether the figures follow what happens; `at` is the moment that the latest of them are of. */
export interface LiveState {
  is: 'connecting' | 'live' | 'stale';
  at: string | null;
}

let state: LiveState = { is: 'connecting', at: null };
const watchers = new Set<() => void>();

const set = (next: LiveState): void => {
  state = next;
  for (const tell of watchers) tell();
};

export const liveState = {
  read: () => state,
  watch: (onChange: () => void) => {
    watchers.add(onChange);
    return () => {
      watchers.delete(onChange);
    };
  },
  connecting: () => set({ is: 'connecting', at: state.at }),
  live: (at: string) => set({ is: 'live', at }),
  /** Without a moment of their own the figures stay as old as they are. */
  stale: (at: string | null = state.at) => set({ is: 'stale', at }),
};

export const useLiveState = (): LiveState =>
  useSyncExternalStore(liveState.watch, liveState.read, liveState.read);
