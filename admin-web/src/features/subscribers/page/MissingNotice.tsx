import type { MissingPart } from '@daylift/contracts/timeline.http';
import { Alert, Button, Group } from '@mantine/core';
import { IconCloudRain } from '@tabler/icons-react';

const names: Record<MissingPart, string> = {
  schedule: 'what was planned',
  texts: 'texts and replies',
  billing: 'plan and payments',
};

/** Says what could not be asked just now, so that nobody takes it for nothing. */
export const MissingNotice = ({
  missing,
  onRetry,
}: {
  missing: readonly MissingPart[];
  onRetry: () => void;
}) =>
  missing.length === 0 ? null : (
    <Alert color="yellow" icon={<IconCloudRain size={20} aria-hidden />} mb="md" role="alert">
      <Group justify="space-between" gap="sm">
        <span>Missing just now: {missing.map((part) => names[part]).join(', ')}.</span>
        <Button variant="default" size="xs" h={44} onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
