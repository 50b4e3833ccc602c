import { Button, Group } from '@mantine/core';

export const SubmitRow = ({
  label,
  busy,
  onCancel,
}: {
  label: string;
  busy: boolean;
  onCancel?: (() => void) | undefined;
}) => (
  <Group gap="sm">
    {onCancel ? (
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Cancel
      </Button>
    ) : null}
    <Button type="submit" loading={busy} flex={1}>
      {label}
    </Button>
  </Group>
);
