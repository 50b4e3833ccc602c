import { Button } from '@mantine/core';
import classes from './EmptyState.module.css';

/** Says that something could not be loaded and offers the way back. */
export const ErrorState = ({
  title = 'This could not be loaded',
  message,
  onRetry,
  busy = false,
}: {
  title?: string;
  message: string;
  onRetry: () => void;
  busy?: boolean;
}) => (
  <div className={classes.state} role="alert">
    <p className={classes.title}>{title}</p>
    <p className={classes.text}>{message}</p>
    <Button variant="default" mt="sm" onClick={onRetry} loading={busy}>
      Try again
    </Button>
  </div>
);
