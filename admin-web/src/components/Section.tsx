import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A card with a heading of its own, and what one can do there at its right. */
export const Section = ({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) => {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} shadow="none" withBorder>
      <Group justify="space-between" mb="md" gap="sm">
        <Title id={id} order={2} fz="1.2rem">
          {title}
        </Title>
        {actions ? <Group gap="sm">{actions}</Group> : null}
      </Group>
      {children}
    </Card>
  );
};
