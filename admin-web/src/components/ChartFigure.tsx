import { type ReactNode, useState } from 'react';
import classes from './ChartFigure.module.css';
import { type Column, DataTable } from './DataTable.tsx';

/** A chart with its data in a table. The table is rendered only when it's open. */
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
}) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <figure className={classes.figure} aria-label={label}>
      <div aria-hidden="true">{children}</div>
      <details
        className={classes.table}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary>Show as table</summary>
        {isOpen ? <DataTable label={label} {...table} /> : null}
      </details>
    </figure>
  );
};
