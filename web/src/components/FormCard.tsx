import type { ReactNode } from 'react';
import classes from './FormCard.module.css';

/** The centered card of the login and success pages. */
export const FormCard = ({ children }: { children: ReactNode }) => (
  <div className={classes.sky}>
    <div className={classes.card}>{children}</div>
  </div>
);
