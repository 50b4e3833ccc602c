import { useAction } from '@daylift/api-client/use-action';
import { Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { freezeQuery } from '../../shared.queries.ts';
import { texts } from './words.ts';

export const FreezeDialog = ({
  opened,
  inFlight,
  onClose,
}: {
  opened: boolean;
  inFlight: number;
  onClose: () => void;
}) => {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const freezing = useAction({
    mutationFn: (why: string) =>
      call('POST /admin/freeze', { body: why === '' ? {} : { reason: why } }),
    onSuccess: (state) => {
      queryClient.setQueryData(freezeQuery.queryKey, state);
    },
  });
  const close = () => {
    setReason('');
    onClose();
  };
  return (
    <ActionDialog
      opened={opened}
      input={reason.trim()}
      mutation={freezing}
      action="freeze sending"
      done={() => 'Sending is frozen.'}
      title="Freeze all sending?"
      confirmLabel="Freeze sending"
      tone="danger"
      onClose={close}
    >
      <Stack gap="sm">
        <Text>
          All texts stop within a second: daily texts, announcements, welcome texts, consent
          requests, replies and password codes.
        </Text>
        <Text>
          Texts wait in the queue until they expire. When you resume, you choose whether to send the
          ones that are still on time.{' '}
          {inFlight > 0
            ? `${texts(inFlight)} ${inFlight === 1 ? 'is' : 'are'} already with the provider and can't be recalled.`
            : 'No texts are with the provider right now.'}
        </Text>
        <TextInput
          label="Reason (optional)"
          description="Shown to all admins on every page."
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
    </ActionDialog>
  );
};
