import type { ReactNode } from 'react';
import classes from './FormActions.module.css';

/** The buttons that end a form or a dialog, the one that does it last. */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.actions}>{children}</div>
);
