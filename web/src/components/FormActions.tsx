import type { ReactNode } from 'react';
import classes from './FormActions.module.css';

/** Form or dialog buttons; the submit button is last. */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.actions}>{children}</div>
);
