import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminQuery } from '../session/use-admin.ts';

/** Tells viewers why there are no buttons. Renders nothing for other roles. */
export const ViewerNotice = () => {
  const { data } = useQuery(adminQuery);
  return data?.role === 'viewer' ? (
    <Text c="dimmed">You have view-only access. Operators can make changes.</Text>
  ) : null;
};
