import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './HeaderButton.module.css';

/** A button of the header on every page. On narrow screens, its first word is below the icon. */
export const HeaderButton = ({
  icon,
  word,
  rest,
  ...props
}: ButtonProps & {
  icon: ReactNode;
  word: string;
  rest?: string;
  title?: string | undefined;
  onClick: () => void;
}) => (
  <Button
    variant="default"
    size="sm"
    h={44}
    leftSection={icon}
    classNames={{
      root: classes.root,
      inner: classes.inner,
      section: classes.section,
      label: classes.label,
    }}
    {...props}
  >
    {word}
    {rest ? <span className={classes.rest}>&nbsp;{rest}</span> : null}
  </Button>
);
