import { useSyncExternalStore } from 'react';

/** Connection state; `at` is the time of the latest update. */
export interface LiveState {
  is: 'connecting' | 'live' | 'stale';
  at: string | null;
}

let state: LiveState = { is: 'connecting', at: null };
const watchers = new Set<() => void>();

const set = (next: LiveState): void => {
  state = next;
  for (const notify of watchers) notify();
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
  /** Without `at`, the time of the latest update stays. */
  stale: (at: string | null = state.at) => set({ is: 'stale', at }),
};

export const useLiveState = (): LiveState =>
  useSyncExternalStore(liveState.watch, liveState.read, liveState.read);
