import type { MissingPart } from '@daylift/contracts/timeline.http';
import { Alert, Button, Group } from '@mantine/core';
import { IconCloudRain } from '@tabler/icons-react';

const names: Record<MissingPart, string> = {
  schedule: 'schedule',
  texts: 'texts and replies',
  billing: 'plan and payments',
};

/** Lists the data that could not be loaded. */
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
        <span>Couldn't load: {missing.map((part) => names[part]).join(', ')}.</span>
        <Button variant="default" size="xs" h={44} onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
