import { Card, Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One figure: what it counts, how much it is, and what it is made of. */
export const FigureCard = ({
  label,
  value,
  note,
  icon,
}: {
  label: string;
  /** Undefined while it is on its way. */
  value: string | undefined;
  note?: string;
  icon?: ReactNode;
}) => (
  <Card padding="md" shadow="none" withBorder>
    <Group justify="space-between" wrap="nowrap" c="dimmed">
      <Text fz="sm" fw={700}>
        {label}
      </Text>
      <span aria-hidden="true">{icon}</span>
    </Group>
    {value === undefined ? (
      <Skeleton height={34} width="40%" mt={6} radius="xl" />
    ) : (
      <Text fz="1.75rem" fw={800} lh={1.3}>
        {value}
      </Text>
    )}
    {note ? (
      <Text fz="sm" c="dimmed">
        {note}
      </Text>
    ) : null}
  </Card>
);
