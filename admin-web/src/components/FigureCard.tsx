import { formatCount } from '@daylift/ui/formats';
import { Card, Group, Skeleton, Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './FigureCard.module.css';

export const FigureCard = ({
  label,
  value: figure,
  note,
  icon,
}: {
  label: string;
  value: string | number | undefined;
  note?: ReactNode;
  icon?: ReactNode;
}) => {
  const value = typeof figure === 'number' ? formatCount(figure) : figure;
  return (
    <Card className={classes.card} padding="md" shadow="none" withBorder>
      <Group justify="space-between" wrap="nowrap" c="dimmed">
        <Text fz="sm" fw={700}>
          {label}
        </Text>
        <span aria-hidden="true">{icon}</span>
      </Group>
      {value === undefined ? (
        <Skeleton height={34} width="40%" mt={6} radius="xl" />
      ) : (
        <Text
          className={classes.value}
          style={{ '--characters': value.length } as CSSProperties}
          fw={800}
          lh={1.3}
        >
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
};
