import type { ReactNode } from 'react';
import classes from './FactList.module.css';

export const FactList = ({ children }: { children: ReactNode }) => (
  <dl className={classes.facts}>{children}</dl>
);

export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
