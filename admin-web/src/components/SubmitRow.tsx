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
    <Button type="submit" loading={busy} flex={1}>
      {label}
    </Button>
    {onCancel ? (
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Cancel
      </Button>
    ) : null}
  </Group>
);
