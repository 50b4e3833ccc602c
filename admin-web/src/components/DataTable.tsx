import { Button, Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './DataTable.module.css';

export interface Column<T> {
  header: string;
  cell: (row: T) => ReactNode;
  /** Right-aligned: numbers, and the buttons of the last column. */
  numeric?: boolean;
  /** Heads the card on a phone, without the column name. */
  isTitle?: boolean;
  /** Shown instead of the header text, such as a checkbox. */
  head?: ReactNode;
  /** Sorts by this column, or reverses the order. */
  sort?: { order: 'ascending' | 'descending' | 'none'; onSort: () => void };
}

const sortIcons = {
  ascending: IconArrowUp,
  descending: IconArrowDown,
  none: IconArrowsSort,
};

const Head = <T,>({ column: { header, head, sort, numeric } }: { column: Column<T> }) => {
  if (!sort) return <Table.Th data-numeric={numeric}>{head ?? header}</Table.Th>;
  const Icon = sortIcons[sort.order];
  return (
    <Table.Th data-numeric={numeric} aria-sort={sort.order}>
      <UnstyledButton className={classes.sort} onClick={sort.onSort}>
        {header}
        <Icon size={16} aria-hidden data-idle={sort.order === 'none'} />
      </UnstyledButton>
    </Table.Th>
  );
};

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
              <Head key={column.header} column={column} />
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
                  data-title={column.isTitle}
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
