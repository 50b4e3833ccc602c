import { Button, Group, Text } from '@mantine/core';

/** Retry link below an empty fallback. */
export const QuietRetry = ({ busy, onRetry }: { busy: boolean; onRetry: () => void }) => (
  <Group gap="xs" mt="sm" role="status">
    <Text c="dimmed" fz="sm">
      We couldn't load this right now.
    </Text>
    <Button variant="subtle" size="compact-md" mih={44} loading={busy} onClick={() => onRetry()}>
      Try again
    </Button>
  </Group>
);
