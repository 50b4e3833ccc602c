import type { ReactNode } from 'react';
import classes from './ChartFigure.module.css';
import { type Column, DataTable } from './DataTable.tsx';

/** A drawing of figures; the same figures stand in a table for whoever cannot see it. */
export const ChartFigure = <T,>({
  label,
  children,
  ...table
}: {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
  children: ReactNode;
}) => (
  <figure className={classes.figure} aria-label={label}>
    <div aria-hidden="true">{children}</div>
    <details className={classes.table}>
      <summary>Show as a table</summary>
      <DataTable label={label} {...table} />
    </details>
  </figure>
);
