import { IconCloudOff, IconHourglass } from '@tabler/icons-react';
import { onlineManager, useIsFetching } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import classes from './ConnectionNotice.module.css';

/** From here on one wonders whether anything is still coming. */
const slowAfterMs = 3000;

const useOnline = (): boolean =>
  useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
    () => true,
  );

/** Something that the page has nothing of yet has been on its way for long. */
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

/** What one should know of the connection, while there is something to know. */
export const ConnectionNotice = () => {
  const online = useOnline();
  const slow = useSlow();
  return (
    <div role="status">
      {online ? null : (
        <p className={classes.notice} data-kind="offline">
          <IconCloudOff size={22} aria-hidden="true" />
          You are offline. You see what was loaded before; the rest comes when you are back.
        </p>
      )}
      {online && slow ? (
        <p className={classes.notice}>
          <IconHourglass size={22} aria-hidden="true" />
          Still loading. The connection seems to be slow.
        </p>
      ) : null}
    </div>
  );
};
