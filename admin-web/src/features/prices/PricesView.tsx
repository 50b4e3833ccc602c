import { describeError } from '@daylift/api-client/operators-errors';
import { defaultCurrency, planTerms } from '@daylift/contracts/plans';
import type { PriceGroup, PriceMove, PriceMoves } from '@daylift/contracts/price-moves.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount, formatDay, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { MovePricesDialog } from './MovePricesDialog.tsx';
import { StopMoveDialog } from './StopMoveDialog.tsx';

const priceMovesQuery = apiQuery(['price-moves'], 'GET /admin/price-moves');

type Priced = Pick<PriceGroup, 'plan' | 'currency' | 'from_cents' | 'to_cents'>;

const priceOf = (row: Priced, name: 'from_cents' | 'to_cents'): string =>
  formatMoney(row[name], row.currency ?? defaultCurrency);

const priceColumns: Column<Priced>[] = [
  { header: 'Plan', cell: ({ plan }) => planTerms[plan].name },
  { header: 'Old price', cell: (row) => priceOf(row, 'from_cents'), numeric: true },
  { header: 'New price', cell: (row) => priceOf(row, 'to_cents'), numeric: true },
];

const groupColumns = (onMove: (group: PriceGroup) => void): Column<PriceGroup>[] => [
  ...priceColumns,
  { header: 'Subscribers', cell: ({ subscribers }) => formatCount(subscribers), numeric: true },
  {
    header: 'If moved now',
    cell: ({ first_at, last_at }) => `From ${formatDay(first_at)} to ${formatDay(last_at)}`,
  },
  {
    header: 'Actions',
    cell: (group) => (
      <Button
        variant="default"
        aria-label={`Move ${group.plan} subscribers from ${priceOf(group, 'from_cents')}`}
        onClick={() => onMove(group)}
      >
        Move
      </Button>
    ),
    numeric: true,
  },
];

const count = (header: string, of: (move: PriceMove) => number): Column<PriceMove> => ({
  header,
  cell: (move) => formatCount(of(move)),
  numeric: true,
});

const moveColumns = (onStop: (move: PriceMove) => void): Column<PriceMove>[] => [
  { header: 'Started', cell: ({ created_at }) => formatDay(created_at) },
  { header: 'By', cell: ({ created_by }) => created_by },
  ...priceColumns,
  { header: 'Reason', cell: ({ reason }) => reason },
  count('Email later', ({ planned }) => planned),
  count('Emailed', ({ announced }) => announced),
  count('Moved', ({ applied }) => applied),
  count('Opted out', ({ declined }) => declined),
  count('Not moved', ({ dropped }) => dropped),
  {
    header: 'Actions',
    cell: (move) => {
      if (move.stopped_at !== null) return `Stopped ${formatDay(move.stopped_at)}`;
      if (move.planned + move.announced === 0) return null;
      const label = `Stop the move of ${move.plan} subscribers to ${priceOf(move, 'to_cents')}`;
      return (
        <Button variant="default" aria-label={label} onClick={() => onStop(move)}>
          Stop
        </Button>
      );
    },
    numeric: true,
  },
];

const Groups = ({
  data: { groups },
  onMove,
}: {
  data: PriceMoves;
  onMove: (group: PriceGroup) => void;
}) =>
  groups.length === 0 ? (
    <EmptyState title="No subscribers to move">
      After prices change in the product's configuration (PLAN_PRICES), subscribers who still pay an
      earlier price appear here, with a button to move them.
    </EmptyState>
  ) : (
    <Stack gap="md">
      <Text c="dimmed">
        These subscribers pay a price that new customers no longer get. Moving them emails each one
        at least 30 days before their first renewal at the new price, with a link to opt out.
      </Text>
      <DataTable
        label="Subscribers on earlier prices"
        columns={groupColumns(onMove)}
        rows={groups}
        rowKey={({ plan, currency, from_cents }) => `${plan}:${currency}:${from_cents}`}
      />
    </Stack>
  );

const Moves = ({
  data: { moves },
  onStop,
}: {
  data: PriceMoves;
  onStop: (move: PriceMove) => void;
}) =>
  moves.length === 0 ? (
    <EmptyState title="No moves yet">
      A move raises or lowers the price of existing subscribers, after an email to each. Start one
      above, when subscribers are listed there.
    </EmptyState>
  ) : (
    <DataTable
      label="Price moves"
      columns={moveColumns(onStop)}
      rows={moves}
      rowKey={({ id }) => id}
    />
  );

/** Subscribers who pay earlier prices, and moving them to the current ones. */
export const PricesView = () => {
  const query = useQuery(priceMovesQuery);
  const [moving, setMoving] = useState<PriceGroup | null>(null);
  const [stopping, setStopping] = useState<PriceMove | null>(null);
  const view = (Part: (props: { data: PriceMoves }) => ReactNode) => (
    <QueryView
      query={query}
      lines={4}
      describe={(error) => describeError('read price moves', error)}
    >
      {(data) => <Part data={data} />}
    </QueryView>
  );
  return (
    <>
      <Section title="Move existing customers to the new price">
        {view(({ data }) => (
          <Groups data={data} onMove={setMoving} />
        ))}
      </Section>
      <Section title="Moves so far">
        {view(({ data }) => (
          <Moves data={data} onStop={setStopping} />
        ))}
      </Section>
      <MovePricesDialog group={moving} onClose={() => setMoving(null)} />
      <StopMoveDialog move={stopping} onClose={() => setStopping(null)} />
    </>
  );
};
