import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { Button, Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import { useSubscriberActions } from '../subscriber-actions.tsx';
import { useListPath } from './use-list-path.ts';

export const SubscriberActions = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const navigate = useNavigate();
  const list = useListPath();
  const { mayManage, actionsFor, dialogs } = useSubscriberActions(async (id) => {
    // The admin may have gone elsewhere while the call ran.
    if (window.location.pathname === paths.subscriber(id)) await navigate(list, { replace: true });
  });
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
