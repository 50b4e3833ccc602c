import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/** Shown in place of an empty list. The picture is decorative. */
export const EmptyState = ({
  picture,
  title,
  children,
  action,
}: {
  picture?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className={classes.state}>
    {picture ? (
      <div className={classes.picture} aria-hidden="true">
        {picture}
      </div>
    ) : null}
    <p className={classes.title}>{title}</p>
    {children ? <p className={classes.text}>{children}</p> : null}
    {action}
  </div>
);
