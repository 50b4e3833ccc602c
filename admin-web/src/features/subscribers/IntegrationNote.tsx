import type { ProviderInfo } from '@daylift/contracts/sms-operations.http';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { providerQuery } from './subscribers.queries.ts';

const stateOf = ({ mode, pause }: ProviderInfo): string => {
  const where =
    mode === 'sandbox'
      ? 'Texts go to the built-in sandbox, not to real phones.'
      : 'Texts go to real phones through Telnyx.';
  return pause === null ? where : `${where} Sending is paused: ${pause.reason}`;
};

/** SMS provider status and how status changes reach it. */
export const IntegrationNote = () => {
  const { data, isError } = useQuery(providerQuery);
  const state = isError ? 'Sending status is unavailable right now.' : data && stateOf(data);
  return (
    <Text c="dimmed" fz="sm" mt="md">
      <strong>SMS integration.</strong> {state} Pause, Activate, Opt out and Delete take effect
      within seconds. A STOP reply takes effect immediately, and only a START reply from the same
      phone reverses it.
    </Text>
  );
};
