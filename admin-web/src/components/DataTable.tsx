import { Button, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './DataTable.module.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Right-aligned: numbers, and the buttons of the last column. */
  numeric?: boolean;
}

/** A table that becomes a list of cards on a phone, with the column name in each cell. */
export const DataTable = <T,>({
  label,
  columns,
  rows,
  rowKey,
  firstOnPhone = Number.POSITIVE_INFINITY,
}: {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
  /** Number of cards a phone shows before "Show all". */
  firstOnPhone?: number;
}) => {
  const [all, setAll] = useState(false);
  const isShort = !all && rows.length > firstOnPhone;
  return (
    <>
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
          {rows.map((row, index) => (
            <Table.Tr key={rowKey(row)} data-later={isShort && index >= firstOnPhone}>
              {columns.map((column) => (
                <Table.Td
                  key={column.header}
                  data-label={column.header}
                  data-numeric={column.numeric}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {isShort ? (
        <Button className={classes.more} variant="default" onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      ) : null}
    </>
  );
};
