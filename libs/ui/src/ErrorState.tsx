import { Button } from '@mantine/core';
import { IconCloudRain } from '@tabler/icons-react';
import classes from './EmptyState.module.css';

export const ErrorState = ({
  title = "Couldn't load this",
  message,
  onRetry,
  busy = false,
  heading: Heading = 'p',
}: {
  title?: string;
  message: string;
  onRetry: () => void;
  busy?: boolean;
  heading?: 'p' | 'h1' | 'h2';
}) => (
  <div className={classes.state} role="alert">
    <div className={classes.picture} aria-hidden="true">
      <IconCloudRain size={30} stroke={1.8} />
    </div>
    <Heading className={classes.title}>{title}</Heading>
    <p className={classes.text}>{message}</p>
    <Button variant="default" mt="sm" onClick={onRetry} loading={busy}>
      Try again
    </Button>
  </div>
);
