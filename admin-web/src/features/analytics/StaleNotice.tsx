import { Text } from '@mantine/core';

export const StaleNotice = ({ query }: { query: { isError: boolean } }) =>
  query.isError ? (
    <Text role="status" c="dimmed" fz="sm">
      Couldn't refresh these numbers. They may be out of date.
    </Text>
  ) : null;
