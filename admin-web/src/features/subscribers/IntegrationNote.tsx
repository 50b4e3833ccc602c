import type { ProviderInfo } from '@daylift/contracts/sms-operations.http';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { providerQuery } from './subscribers.queries.ts';

const stateOf = ({ mode, pause }: ProviderInfo): string => {
  const where =
    mode === 'sandbox'
      ? 'Texts go to the built-in sandbox, and to no real phone.'
      : 'Texts go to real phones through Telnyx.';
  return pause === null ? where : `${where} Sending rests now: ${pause.reason}`;
};

/** How changes in the list reach the SMS provider, and whether it is there. */
export const IntegrationNote = () => {
  const { data, isError } = useQuery(providerQuery);
  const state = isError ? 'How sending stands cannot be told right now.' : data && stateOf(data);
  return (
    <Text c="dimmed" fz="sm" mt="md">
      <strong>SMS integration.</strong> {state} Pausing, activating and deleting are queued for the
      senders and apply within seconds, without waiting for the provider. Whoever replies STOP is
      stopped at once, there and here; only START from their phone lifts it.
    </Text>
  );
};
