import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { Button, Group } from '@mantine/core';
import { useSubscriberActions } from '../subscriber-actions.tsx';

export const SubscriberActions = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const { mayManage, actionsFor, dialogs } = useSubscriberActions();
  if (!mayManage) return null;
  return (
    <Group gap="sm">
      {actionsFor(subscriber).map(({ label, isDanger, open }) => (
        <Button
          key={label}
          h={44}
          variant={isDanger ? 'light' : 'default'}
          {...(isDanger && { color: 'red' })}
          onClick={open}
        >
          {label}
        </Button>
      ))}
      {dialogs}
    </Group>
  );
};
