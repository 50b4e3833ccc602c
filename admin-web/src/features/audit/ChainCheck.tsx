import { formatCount } from '@daylift/ui/formats';
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { chainQuery } from './audit.queries.ts';

/** Whether anybody has changed or taken out an entry by force. */
export const ChainCheck = () => {
  const { data } = useQuery(chainQuery);
  if (data === undefined) return null;
  if (data.broken_at !== null)
    return (
      <Alert role="alert" color="red" title={`Broken at entry ${formatCount(data.broken_at)}`}>
        This entry does not fit the one before it: somebody has changed the log or taken something
        out, past this product. Keep a copy of the database and look who can reach it.
      </Alert>
    );
  return (
    <Text c="dimmed" fz="sm">
      Unbroken up to entry {formatCount(data.checked_to)}: nothing was changed or taken out.
    </Text>
  );
};
