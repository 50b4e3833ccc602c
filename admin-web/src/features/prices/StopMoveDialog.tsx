import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { PriceMove } from '@daylift/contracts/price-moves.http';
import { formatCount } from '@daylift/ui/formats';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { ReasonField } from '../../components/ReasonField.tsx';

/** Asks for a reason before the rest of a move is taken back. */
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
      title="Stop this move?"
      confirmLabel="Stop Move"
      ready={reason.trim().length >= 3}
      done={() => 'The move has stopped.'}
      onClose={() => {
        setReason('');
        onClose();
      }}
    >
      {move ? (
        <Stack gap="md">
          <Text>
            {formatCount(move.planned)} subscribers won't get the email, and{' '}
            {formatCount(move.announced)} will be told that their price stays the same. The{' '}
            {formatCount(move.applied)} whose new price is set and the {formatCount(move.declined)}{' '}
            who opted out aren't affected.
          </Text>
          <ReasonField description="Saved in the audit log." value={reason} onChange={setReason} />
        </Stack>
      ) : null}
    </ActionDialog>
  );
};
