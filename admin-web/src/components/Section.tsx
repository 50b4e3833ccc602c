import { Button, Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './Section.module.css';

/** A titled card with optional actions. */
export const Section = ({
  title,
  actions,
  folds = false,
  children,
}: {
  title: string;
  actions?: ReactNode;
  /** Starts folded on a phone. */
  folds?: boolean;
  children: ReactNode;
}) => {
  const titleId = useId();
  const [isOpen, setOpen] = useState(!folds);
  return (
    <Card
      component="section"
      aria-labelledby={titleId}
      shadow="none"
      withBorder
      className={isOpen ? undefined : classes.folded}
    >
      <Group
        className={classes.head}
        justify="space-between"
        gap="sm"
        wrap={folds ? 'nowrap' : 'wrap'}
      >
        <Title id={titleId} order={2} fz="1.2rem">
          {title}
        </Title>
        {actions ? <Group gap="sm">{actions}</Group> : null}
        {folds ? (
          <Button
            className={classes.toggle}
            variant="default"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} ${title}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        ) : null}
      </Group>
      {children}
    </Card>
  );
};
