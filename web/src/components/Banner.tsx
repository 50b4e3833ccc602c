import type { ReactNode } from 'react';
import classes from './Banner.module.css';

/** A notice above the tabs, with the action that resolves it. */
export const Banner = ({
  label,
  tone = 'yellow',
  action,
  children,
}: {
  label: string;
  tone?: 'yellow' | 'red';
  action?: ReactNode;
  children: ReactNode;
}) => (
  <section className={classes.banner} data-tone={tone} aria-label={label}>
    <p className={classes.words} role="status">
      {children}
    </p>
    {action}
  </section>
);
