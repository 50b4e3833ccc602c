import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A titled card with optional actions. */
export const Section = ({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) => {
  const titleId = useId();
  return (
    <Card component="section" aria-labelledby={titleId} shadow="none" withBorder>
      <Group justify="space-between" mb="md" gap="sm">
        <Title id={titleId} order={2} fz="1.2rem">
          {title}
        </Title>
        {actions ? <Group gap="sm">{actions}</Group> : null}
      </Group>
      {children}
    </Card>
  );
};
