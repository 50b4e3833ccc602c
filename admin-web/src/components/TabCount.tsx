import { formatCount } from '@daylift/ui/formats';
import { VisuallyHidden } from '@mantine/core';
import classes from './TabCount.module.css';

/** Count badge of a tab, hidden at zero. */
export const TabCount = ({ count, label }: { count: number; label: string }) =>
  count === 0 ? null : (
    <span className={classes.count}>
      {formatCount(count)}
      <VisuallyHidden> {label}</VisuallyHidden>
    </span>
  );
