import type { ListedAdminUser } from '@daylift/contracts/accounts.http';
import { formatDay, formatHour, formatZone } from '@daylift/ui/formats';
import { ActionIcon, Center, Checkbox, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { SubscriberLink } from '../../components/SubscriberLink.tsx';
import { Time } from '../../components/Time.tsx';
import { BulkActions } from './BulkActions.tsx';
import { sortColumns, sortsFor } from './list-filters.ts';
import { StatusBadges } from './StatusBadges.tsx';
import classes from './SubscribersTable.module.css';
import { type SubscriberAction, useSubscriberActions } from './subscriber-actions.tsx';

const renewal = ({ period_end, renews, timezone }: ListedAdminUser): string => {
  if (period_end === null) return '';
  const day = formatDay(period_end, timezone);
  return renews ? day : `Ends ${day}`;
};

/** Breaks before the @ if the column is too narrow. */
const Email = ({ address }: { address: string }) => {
  const at = address.indexOf('@');
  return (
    <span className={classes.email}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  );
};

const facts: Column<ListedAdminUser>[] = [
  {
    header: 'Name',
    isTitle: true,
    cell: (user) => (
      <Text component="span" fw={700}>
        <SubscriberLink id={user.id}>{user.name}</SubscriberLink>
      </Text>
    ),
  },
  { header: 'Email', cell: (user) => <Email address={user.email} /> },
  { header: 'Phone', cell: (user) => user.phone },
  { header: 'Status', cell: (user) => <StatusBadges user={user} /> },
  {
    header: 'Delivery time',
    cell: (user) => (
      <span>
        {formatHour(user.delivery_time)}, {user.delivery_frequency}
        <Text component="span" c="dimmed" fz="sm" display="block">
          {formatZone(user.timezone)}
        </Text>
      </span>
    ),
  },
  {
    header: 'Last message',
    cell: (user) => (user.last_message_sent ? <Time at={user.last_message_sent} /> : 'Never'),
  },
  { header: 'Joined', cell: (user) => <Time at={user.created_at} format="dayOnly" /> },
  { header: 'Renews', cell: renewal },
];

const RowMenu = ({ name, actions }: { name: string; actions: SubscriberAction[] }) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <ActionIcon variant="default" size={44} aria-label={`Actions: ${name}`}>
        <IconDots size={20} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {actions.map(({ label, isDanger, open }) => (
        <Menu.Item key={label} mih={44} {...(isDanger && { color: 'red' })} onClick={open}>
          {label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

const sortedBy =
  (sort: string, seesContacts: boolean, onSort: (sort: string) => void) =>
  (column: Column<ListedAdminUser>): Column<ListedAdminUser> => {
    const choices = sortColumns[column.header];
    if (choices === undefined) return column;
    const { first, other, isRising } = choices;
    if (!sortsFor(seesContacts).some(({ value }) => value === first)) return column;
    const rising = isRising ? first : other;
    const isSorted = sort === first || sort === other;
    return {
      ...column,
      sort: {
        order: isSorted ? (sort === rising ? 'ascending' : 'descending') : 'none',
        onSort: () => onSort(sort === first ? other : first),
      },
    };
  };

interface SelectBoxProps {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox without visible text. The label around it enlarges the touch target. */
const SelectBox = ({ label, onChange, ...state }: SelectBoxProps) => (
  <Center component="label" w="fit-content" miw={44} mih={44}>
    <Checkbox
      aria-label={label}
      {...state}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </Center>
);

/** Remembers the selected rows of the page that is shown. */
function useSelection(users: ListedAdminUser[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = users.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const column: Column<ListedAdminUser> = {
    header: 'Select',
    head: (
      <SelectBox
        label="Select all on this page"
        checked={ids.length === users.length}
        indeterminate={ids.length > 0 && ids.length < users.length}
        onChange={(checked) => setChosen(new Set(checked ? users.map(({ id }) => id) : []))}
      />
    ),
    cell: ({ id, name }) => (
      <SelectBox
        label={`Select: ${name}`}
        checked={chosen.has(id)}
        onChange={(checked) => {
          const next = new Set(chosen);
          if (checked) next.add(id);
          else next.delete(id);
          setChosen(next);
        }}
      />
    ),
  };
  return { ids, column, clear: () => setChosen(new Set()) };
}

export const SubscribersTable = ({
  users,
  sort,
  onSort,
}: {
  users: ListedAdminUser[];
  sort: string;
  onSort: (sort: string) => void;
}) => {
  const { mayManage, actionsFor, dialogs } = useSubscriberActions();
  const selection = useSelection(users);
  const columns = facts.map(sortedBy(sort, mayManage, onSort));
  const menu: Column<ListedAdminUser> = {
    header: 'Actions',
    cell: (user) => <RowMenu name={user.name} actions={actionsFor(user)} />,
  };
  return (
    <>
      {selection.ids.length > 0 ? (
        <BulkActions ids={selection.ids} onDone={selection.clear} />
      ) : null}
      <DataTable
        label="Subscribers"
        columns={mayManage ? [selection.column, ...columns, menu] : columns}
        rows={users}
        rowKey={(user) => user.id}
      />
      {dialogs}
    </>
  );
};
