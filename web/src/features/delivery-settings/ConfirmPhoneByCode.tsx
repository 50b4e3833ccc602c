import { useAction } from '@daylift/api-client/use-action';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { refreshQueries } from '../../components/query-updates.ts';
import { queryClient } from '../../query-client.ts';
import { currentUserQuery } from '../../session/current-user.ts';

/** Confirms the unconfirmed phone number with a texted code. */
export const ConfirmPhoneByCode = ({ hint }: { hint: string }) => {
  const [code, setCode] = useState('');
  const [isSent, setSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const request = useAction({
    mutationFn: () => call('POST /users/me/confirm-phone'),
    onSuccess: () => {
      confirm.reset();
      setSent(true);
      field.current?.focus();
    },
  });
  const confirm = useAction({
    mutationFn: (typed: string) => call('POST /users/me/confirm-phone', { body: { code: typed } }),
    onSuccess: () => {
      announce('Your number is confirmed.', 'good');
      refreshQueries(queryClient, currentUserQuery.queryKey);
    },
    onError: () => field.current?.focus(),
  });
  useEffect(() => {
    if (isSent) field.current?.focus();
  }, [isSent]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    request.reset();
    confirm.mutate(code.replaceAll(/[\s-]/g, ''));
  };
  const error = confirm.error ?? request.error;
  return (
    <form onSubmit={submit} noValidate>
      <Text fz="md" mb="xs" role="status">
        {confirm.data?.detail ?? request.data?.detail ?? hint}
      </Text>
      {error ? <ActionFailure action="confirm phone" error={error} /> : null}
      {isSent && !confirm.isSuccess ? (
        <Group gap="sm" align="end" mb="sm">
          <TextInput
            ref={field}
            label="6-digit code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button type="submit" color="dawn" loading={confirm.isPending}>
            Confirm Number
          </Button>
        </Group>
      ) : null}
      {confirm.isSuccess ? null : (
        <Button variant="default" loading={request.isPending} onClick={() => request.mutate()}>
          {isSent ? 'Text Me Another Code' : 'Text Me a Code'}
        </Button>
      )}
    </form>
  );
};
