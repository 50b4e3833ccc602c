import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../../session/use-admin.ts';
import { DeleteDialog } from '../DeleteDialog.tsx';
import { StatusDialog } from '../StatusDialog.tsx';

export const SubscriberActions = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const mayManage = useMay('operator');
  const mayDelete = useMay('owner');
  const [open, setOpen] = useState<'status' | 'delete' | null>(null);
  const close = () => setOpen(null);
  if (!mayManage) return null;
  return (
    <Group gap="sm">
      <Button h={44} variant="default" onClick={() => setOpen('status')}>
        {subscriber.is_active ? 'Pause' : 'Activate'}
      </Button>
      {mayDelete ? (
        <Button h={44} variant="light" color="red" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      ) : null}
      <StatusDialog user={open === 'status' ? subscriber : null} onClose={close} />
      <DeleteDialog user={open === 'delete' ? subscriber : null} onClose={close} />
    </Group>
  );
};
