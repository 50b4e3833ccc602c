import { Alert } from '@mantine/core';
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './FormMessage.module.css';

export const FormMessage = ({
  kind = 'error',
  children,
}: {
  kind?: 'error' | 'info';
  children: ReactNode;
}) => {
  const message = useRef<HTMLDivElement>(null);
  // On a phone the message may appear below the fold. An invalid field shows its own error.
  useEffect(() => {
    const form = message.current?.closest('form');
    const focused = document.activeElement;
    if (form?.contains(focused) && !focused?.matches('[aria-invalid=true]'))
      message.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Alert
      ref={message}
      role={kind === 'error' ? 'alert' : 'status'}
      color={kind === 'error' ? 'red' : 'sky'}
      radius="md"
      icon={kind === 'error' ? <IconAlertCircle aria-hidden /> : <IconInfoCircle aria-hidden />}
      classNames={{ root: classes.root, icon: classes.icon, message: classes.message }}
      data-kind={kind}
    >
      {children}
    </Alert>
  );
};
