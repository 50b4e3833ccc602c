import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { counted } from '../../components/counted.ts';
import { useSetManyActive } from './subscribers.queries.ts';

const subscribers = (count: number): string => counted(count, 'subscriber', 'subscribers');

/** Pauses or activates the selected subscribers. */
export const BulkActions = ({ ids, onDone }: { ids: string[]; onDone: () => void }) => {
  const set = useSetManyActive();
  const [activating, setActivating] = useState<boolean | null>(null);
  const verb = activating ? 'Activate' : 'Pause';
  const state = activating ? 'active' : 'paused';
  return (
    <Group gap="sm" mb="sm" role="group" aria-label="Selected subscribers">
      <Text role="status" fw={700}>
        {subscribers(ids.length)} selected
      </Text>
      <Button variant="default" h={44} onClick={() => setActivating(false)}>
        Pause selected
      </Button>
      <Button variant="default" h={44} onClick={() => setActivating(true)}>
        Activate selected
      </Button>
      <Button variant="subtle" h={44} onClick={onDone}>
        Clear selection
      </Button>
      <ActionDialog
        input={activating === null ? null : { ids, is_active: activating }}
        mutation={set}
        title={`${verb} ${subscribers(ids.length)}?`}
        confirmLabel={`${verb} ${subscribers(ids.length)}`}
        action="update user status"
        done={({ changed, unchanged, missing }) => {
          onDone();
          const parts = [`${subscribers(changed)} ${changed === 1 ? 'is' : 'are'} now ${state}`];
          if (unchanged > 0) parts.push(`${unchanged} already ${unchanged === 1 ? 'was' : 'were'}`);
          if (missing > 0) parts.push(`${missing} already deleted`);
          return `${parts.join(', ')}.`;
        }}
        onClose={() => setActivating(null)}
      >
        <Text>
          {activating
            ? 'They can sign in again and get texts as scheduled.'
            : 'They will be signed out and get no texts until you activate them. Billing continues.'}
        </Text>
      </ActionDialog>
    </Group>
  );
};
