import { IconCloudOff, IconHourglass } from '@tabler/icons-react';
import { onlineManager, useIsFetching } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import classes from './ConnectionNotice.module.css';

/** Delay before a slow connection is mentioned. */
const slowAfterMs = 3000;

const useOnline = (): boolean =>
  useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
    () => true,
  );

/** Returns whether a first load has been running for long. */
const useSlow = (): boolean => {
  const loading = useIsFetching({ predicate: (query) => query.state.data === undefined }) > 0;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [loading]);
  return slow;
};

/** Notice for an offline or slow connection. */
export const ConnectionNotice = () => {
  const online = useOnline();
  const slow = useSlow();
  return (
    <div role="status">
      {online ? null : (
        <p className={classes.notice} data-kind="offline">
          <IconCloudOff size={22} aria-hidden="true" />
          You're offline. You're seeing what was already loaded; the rest will load when you're back
          online.
        </p>
      )}
      {online && slow ? (
        <p className={classes.notice}>
          <IconHourglass size={22} aria-hidden="true" />
          Still loading. Your connection seems slow.
        </p>
      ) : null}
    </div>
  );
};
