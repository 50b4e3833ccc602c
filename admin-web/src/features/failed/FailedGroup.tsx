import { formatCount } from '@daylift/ui/formats';
import { Button, Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { SubscriberLink } from '../../components/SubscriberLink.tsx';
import { Time } from '../../components/Time.tsx';
import { useMay } from '../../session/use-admin.ts';
import classes from './FailedGroup.module.css';
import { describeType, type Item, type Group as Items, serviceName } from './words.ts';

interface Actions {
  onReplay: (item: Item) => void;
  onReplayAll: (item: Item) => void;
  onDiscard: (item: Item) => void;
  /** ID of the item being replayed. */
  busy: string | null;
}

const Payload = ({ item }: { item: Item }) => (
  <details className={classes.payload}>
    <summary>Payload</summary>
    <pre>
      {item.payload === null
        ? "The payload can't be parsed."
        : JSON.stringify(item.payload, null, 2)}
    </pre>
  </details>
);

const columnsFor = (actions: Actions, mayReplay: boolean, mayDiscard: boolean): Column<Item>[] => [
  {
    header: 'Failed at',
    cell: (item) => (
      <div>
        <Time at={item.parked_at} />
        {item.user_id === null ? null : <SubscriberLink id={item.user_id} />}
      </div>
    ),
  },
  { header: 'Attempts', cell: (item) => formatCount(item.tries), numeric: true },
  {
    header: 'Error',
    cell: (item) => (
      <div>
        <Text fw={600}>{item.error}</Text>
        <Payload item={item} />
      </div>
    ),
  },
  {
    header: 'Actions',
    numeric: true,
    cell: (item) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {mayReplay ? (
          <Button
            size="sm"
            h={44}
            loading={actions.busy === item.id}
            onClick={() => actions.onReplay(item)}
          >
            Replay
          </Button>
        ) : null}
        {mayDiscard ? (
          <Button size="sm" h={44} variant="default" onClick={() => actions.onDiscard(item)}>
            Discard
          </Button>
        ) : null}
        {mayReplay ? null : <Text c="dimmed">Operators only</Text>}
      </Group>
    ),
  },
];

/** Failed events of one service and type. */
export const FailedGroup = ({ group, actions }: { group: Items; actions: Actions }) => {
  const mayReplay = useMay('operator');
  const mayDiscard = useMay('owner');
  const [first] = group.items;
  if (first === undefined) return null;
  return (
    <Section
      title={`${serviceName(first.service)}: ${describeType(first)}`}
      actions={
        mayReplay && group.items.length > 1 ? (
          <Button variant="default" h={44} onClick={() => actions.onReplayAll(first)}>
            Replay all {formatCount(group.items.length)}
          </Button>
        ) : null
      }
    >
      <DataTable
        label={`${serviceName(first.service)}: ${describeType(first)}`}
        columns={columnsFor(actions, mayReplay, mayDiscard)}
        rows={group.items}
        rowKey={(item) => item.id}
        firstOnPhone={3}
      />
    </Section>
  );
};
