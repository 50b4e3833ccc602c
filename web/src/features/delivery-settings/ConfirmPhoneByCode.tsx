import { useAction } from '@daylift/api-client/use-action';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { refreshQueries } from '../../components/query-updates.ts';
import { queryClient } from '../../query-client.ts';
import { currentUserQuery } from '../../session/current-user.ts';

/** Confirms the unconfirmed phone number with a texted code. */
export const ConfirmPhoneByCode = ({ hint }: { hint: string }) => {
  const [code, setCode] = useState('');
  const request = useAction({ mutationFn: () => call('POST /users/me/confirm-phone') });
  const confirm = useAction({
    mutationFn: (typed: string) => call('POST /users/me/confirm-phone', { body: { code: typed } }),
    onSuccess: () => refreshQueries(queryClient, currentUserQuery.queryKey),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    confirm.mutate(code.replaceAll(/[\s-]/g, ''));
  };
  const error = confirm.error ?? request.error;
  return (
    <form onSubmit={submit} noValidate>
      <Text fz="md" mb="xs" role="status">
        {confirm.data?.detail ?? request.data?.detail ?? hint}
      </Text>
      {error ? <ActionFailure action="confirm phone" error={error} /> : null}
      {request.isSuccess && !confirm.isSuccess ? (
        <Group gap="sm" align="end" mb="sm">
          <TextInput
            label="6-digit code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" color="dawn" loading={confirm.isPending}>
            Confirm Number
          </Button>
        </Group>
      ) : null}
      {confirm.isSuccess ? null : (
        <Button variant="default" loading={request.isPending} onClick={() => request.mutate()}>
          Text Me a Code
        </Button>
      )}
    </form>
  );
};
