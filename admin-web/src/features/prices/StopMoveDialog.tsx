import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { PriceMove } from '@daylift/contracts/price-moves.http';
import { formatCount } from '@daylift/ui/formats';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { ReasonField } from '../../components/ReasonField.tsx';
import { peopleIn } from './MovePricesDialog.tsx';

/** Asks for a reason before a price move is stopped. */
export const StopMoveDialog = ({
  move,
  onClose,
}: {
  move: PriceMove | null;
  onClose: () => void;
}) => {
  const refresh = useRefresh('price-moves');
  const [reason, setReason] = useState('');
  const stop = useAction({
    mutationFn: ({ id, reason }: { id: string; reason: string }) =>
      call('POST /admin/price-moves/:id/stop', { params: { id }, body: { reason } }),
    onSuccess: refresh,
  });
  return (
    <ActionDialog
      input={move && { id: move.id, reason: reason.trim() }}
      mutation={stop}
      action="stop move"
      title="Stop this price move?"
      confirmLabel="Stop move"
      ready={reason.trim().length >= 3}
      done={() => 'Price move stopped.'}
      onClose={() => {
        setReason('');
        onClose();
      }}
    >
      {move ? (
        <Stack gap="md">
          <Text>
            Not emailed yet: {peopleIn(move.planned)}, who keep their price and won't hear from us.
            Already emailed: {peopleIn(move.announced)}, who keep their price and get an email
            saying so. Unchanged: {formatCount(move.applied)} whose new price is set, and{' '}
            {formatCount(move.declined)} who opted out. The plans of subscribers who opted out still
            end. Unless their new price is already set, they get an email about keeping their plan
            at the old price.
          </Text>
          <ReasonField description="Saved in the audit log." value={reason} onChange={setReason} />
        </Stack>
      ) : null}
    </ActionDialog>
  );
};
