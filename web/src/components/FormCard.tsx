import type { ReactNode } from 'react';
import classes from './FormCard.module.css';

/** One calm card in the middle of the morning: login and what comes after the checkout. */
export const FormCard = ({ children }: { children: ReactNode }) => (
  <div className={classes.sky}>
    <div className={classes.card}>{children}</div>
  </div>
);
