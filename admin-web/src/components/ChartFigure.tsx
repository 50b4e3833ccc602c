import type { ReactNode } from 'react';
import classes from './ChartFigure.module.css';
import { type Column, DataTable } from './DataTable.tsx';

/** A chart with its data in a table for screen readers. */
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
      <summary>Show as table</summary>
      <DataTable label={label} {...table} />
    </details>
  </figure>
);
