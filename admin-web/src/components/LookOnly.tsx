import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminQuery } from '../session/use-admin.ts';

/** Tells a viewer why there are no buttons here; nothing to anybody else. */
export const LookOnly = () => {
  const { data } = useQuery(adminQuery);
  return data?.role === 'viewer' ? (
    <Text c="dimmed">You may look at this. Changing it takes the role of an operator.</Text>
  ) : null;
};
