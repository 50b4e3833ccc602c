import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Figures are set to the right. */
  numeric?: boolean;
}

/** A table that becomes a list of cards on a phone: each cell then carries its column's name. */
export const DataTable = <T,>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
}) => (
  <Table className={classes.table} aria-label={label} verticalSpacing="sm" highlightOnHover>
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => (
          <Table.Th key={column.header} data-numeric={column.numeric}>
            {column.header}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((row) => (
        <Table.Tr key={rowKey(row)}>
          {columns.map((column) => (
            <Table.Td key={column.header} data-label={column.header} data-numeric={column.numeric}>
              {column.cell(row)}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
