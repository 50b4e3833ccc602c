import { Button, type ButtonProps } from '@mantine/core';

/** A button in a list, named after its row for screen readers. */
export const RowButton = ({
  label,
  row,
  ...button
}: ButtonProps & { label: string; row: string; onClick: () => void }) => (
  <Button size="xs" h={44} variant="default" aria-label={`${label}: ${row}`} {...button}>
    {label}
  </Button>
);
