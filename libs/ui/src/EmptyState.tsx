import type { ReactNode } from 'react';
import classes from './EmptyState.module.css';

/** What stands where a list will be. The picture is decoration, the words say what to expect. */
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
