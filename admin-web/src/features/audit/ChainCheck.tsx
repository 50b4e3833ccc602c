import { formatCount } from '@daylift/ui/formats';
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { chainQuery } from './audit.queries.ts';

/** Shows whether the hash chain of the audit log is intact. */
export const ChainCheck = () => {
  const { data } = useQuery(chainQuery);
  if (data === undefined) return null;
  if (data.broken_at !== null)
    return (
      <Alert role="alert" color="red" title={`Broken at entry ${formatCount(data.broken_at)}`}>
        The log was altered: this entry doesn't match the one before it. Back up the database and
        review who has access to it.
      </Alert>
    );
  return (
    <Text c="dimmed" fz="sm">
      Verified through entry {formatCount(data.checked_to)}. No entries were altered or removed.
    </Text>
  );
};
