import { Button, Group, Text } from '@mantine/core';

/** Under something that is shown empty because its call failed. */
export const QuietRetry = ({ busy, onRetry }: { busy: boolean; onRetry: () => void }) => (
  <Group gap="xs" mt="sm" role="status">
    <Text c="dimmed" fz="sm">
      This could not be loaded just now.
    </Text>
    <Button variant="subtle" size="compact-md" mih={44} loading={busy} onClick={() => onRetry()}>
      Try again
    </Button>
  </Group>
);
