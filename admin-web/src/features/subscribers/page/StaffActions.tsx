import type { StaffActionKind, StaffOptions } from '@daylift/contracts/billing.http';
import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../../components/counted.ts';
import { useMay } from '../../../session/use-admin.ts';
import { StaffActionDialog } from './StaffActionDialog.tsx';
import { staffOptionsQuery } from './subscriber-page.queries.ts';

const buttons: { label: string; kinds: StaffActionKind[] }[] = [
  { label: 'Refund', kinds: ['refund'] },
  { label: 'Give Credit', kinds: ['credit'] },
  { label: 'Extend Trial', kinds: ['extend_trial'] },
  { label: 'Give Free Days', kinds: ['free_days'] },
  { label: 'Give Free Access', kinds: ['free_access'] },
  { label: 'Cancel Plan', kinds: ['cancel_at_period_end', 'cancel_now'] },
];

const Buttons = ({
  subscriber,
  options,
}: {
  subscriber: AdminSubscriber;
  options: StaffOptions;
}) => {
  const [open, setOpen] = useState<StaffActionKind[] | null>(null);
  const possible = buttons.flatMap(({ label, kinds }) => {
    const some = kinds.filter((kind) => options.kinds.includes(kind));
    return some.length === 0 ? [] : [{ label, kinds: some }];
  });
  return (
    <>
      <Group gap="sm" mt="md" role="group" aria-label="Refunds, credit and free time">
        {possible.map(({ label, kinds }) => (
          <Button key={label} variant="default" h={44} onClick={() => setOpen(kinds)}>
            {label}
          </Button>
        ))}
      </Group>
      {options.pending.length > 0 ? (
        <Text c="dimmed" mt="sm" role="status">
          {counted(options.pending.length, 'change', 'changes')} waiting for the payment provider.
        </Text>
      ) : null}
      {options.customer_url === null ? null : (
        <Anchor
          href={options.customer_url}
          target="_blank"
          rel="noreferrer"
          mt="sm"
          display="block"
        >
          Open in Stripe
        </Anchor>
      )}
      <StaffActionDialog
        kinds={open}
        subscriber={subscriber}
        options={options}
        onClose={() => setOpen(null)}
      />
    </>
  );
};

/** Refunds, credit, free time and cancellation, for operators and owners. */
export const StaffActions = ({ subscriber }: { subscriber: AdminSubscriber }) => {
  const mayManage = useMay('operator');
  const { data } = useQuery({ ...staffOptionsQuery(subscriber.id), enabled: mayManage });
  return data === undefined ? null : <Buttons subscriber={subscriber} options={data} />;
};
