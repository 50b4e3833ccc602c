import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { freeze } from '../../api.ts';
import { notifyDone } from '../../components/notify.ts';
import { freezeQuery } from './freeze.queries.ts';
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
    mutationFn: (why: string) => freeze.freeze(why === '' ? {} : { reason: why }),
    onSuccess: (state) => {
      queryClient.setQueryData(freezeQuery.queryKey, state);
      notifyDone('Sending is frozen.');
      close();
    },
  });
  const close = () => {
    freezing.reset();
    setReason('');
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      title="Freeze all sending?"
      confirmLabel="Freeze sending"
      tone="danger"
      busy={freezing.isPending}
      error={freezing.isError ? describeError('freeze sending', freezing.error) : null}
      onConfirm={() => freezing.mutate(reason.trim())}
      onClose={close}
    >
      <Stack gap="sm">
        <Text>
          Within a second no text leaves any more: no text of the day, no announcement, no welcome,
          no request for a YES, no answer to a reply, and no code for a forgotten password.
        </Text>
        <Text>
          Texts wait until their time is over. When you start again, you choose whether those that
          are still in time go out.{' '}
          {inFlight > 0
            ? `${texts(inFlight)} ${inFlight === 1 ? 'is' : 'are'} with the provider at this moment and cannot be taken back.`
            : 'Nothing is with the provider at this moment.'}
        </Text>
        <TextInput
          label="Reason (optional)"
          description="Every admin reads it on every page."
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
};
