import { describeError } from '@daylift/api-client/operators-errors';
import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { Promotion } from '@daylift/contracts/promotions.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount, formatDay, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { useMay } from '../../session/use-admin.ts';
import { PromotionForm } from './PromotionForm.tsx';

const pageSize = 100;
const promotionsQuery = (offset: number) => ({
  ...apiQuery(['promotions', offset], 'GET /admin/promotions', {
    query: { limit: pageSize, offset },
  }),
  placeholderData: keepPreviousData,
});

const states: Record<Promotion['state'], { tone: BadgeTone; label: string }> = {
  active: { tone: 'green', label: 'Active' },
  expired: { tone: 'grey', label: 'Expired' },
  used_up: { tone: 'grey', label: 'Used up' },
  inactive: { tone: 'grey', label: 'Inactive' },
};

const limitsOf = ({ plan, first_time_only, expires_at, max_uses }: Promotion): string =>
  [
    ...(plan ? [`${plan} plan`] : []),
    ...(first_time_only ? ['new subscribers'] : []),
    ...(max_uses ? [`up to ${formatCount(max_uses)} ${max_uses === 1 ? 'use' : 'uses'}`] : []),
    ...(expires_at ? [`until ${formatDay(expires_at)}`] : []),
  ].join(', ') || 'None';

const Actions = ({ row, onEnd }: { row: Promotion; onEnd: (row: Promotion) => void }) => {
  const mayEnd = useMay('operator');
  if (row.state !== 'active') return null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <CopyButton value={row.url}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            aria-label={`${copied ? 'Copied' : 'Copy'} link of ${row.code}`}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy link'}
          </Button>
        )}
      </CopyButton>
      {mayEnd ? (
        <Button variant="default" aria-label={`Deactivate ${row.code}`} onClick={() => onEnd(row)}>
          Deactivate
        </Button>
      ) : null}
    </Group>
  );
};

/** One amount per currency: they are never added. */
const amountsOf = (row: Promotion, name: 'revenue_cents' | 'discount_cents'): string =>
  [row, ...(row.others ?? [])].map((one) => formatMoney(one[name], one.currency)).join(' + ');

const columnsFor = (onEnd: (row: Promotion) => void): Column<Promotion>[] => [
  { header: 'Code', cell: ({ code }) => code },
  {
    header: 'State',
    cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
  },
  { header: 'Gives', cell: ({ gives }) => gives },
  { header: 'Limits', cell: limitsOf },
  { header: 'Uses', cell: ({ uses }) => formatCount(uses), numeric: true },
  { header: 'Paying', cell: ({ paying }) => formatCount(paying), numeric: true },
  {
    header: 'Revenue',
    cell: (row) => amountsOf(row, 'revenue_cents'),
    numeric: true,
  },
  {
    header: 'Discounts',
    cell: (row) => amountsOf(row, 'discount_cents'),
    numeric: true,
  },
  { header: 'Actions', cell: (row) => <Actions row={row} onEnd={onEnd} />, numeric: true },
];

const DeactivateDialog = ({ row, onClose }: { row: Promotion | null; onClose: () => void }) => {
  const refresh = useRefresh('promotions');
  const deactivate = useAction({
    mutationFn: ({ id }: Promotion) =>
      call('POST /admin/promotions/:id/deactivate', { params: { id } }),
    onSuccess: refresh,
  });
  return (
    <ActionDialog
      input={row}
      mutation={deactivate}
      action="deactivate promotion"
      title={`Deactivate ${row?.code ?? ''}?`}
      confirmLabel="Deactivate"
      tone="danger"
      done={({ code }) => `${code} deactivated.`}
      onClose={onClose}
    >
      <Text>
        No one can use this code anymore. Subscribers who have used it, and checkouts that are open
        now, keep their price.
      </Text>
    </ActionDialog>
  );
};

/** Promotion codes, their uses and effect on revenue. */
export const PromotionsView = () => {
  const [offset, setOffset] = useState(0);
  const query = useQuery(promotionsQuery(offset));
  const [ending, setEnding] = useState<Promotion | null>(null);
  const mayCreate = useMay('operator');
  return (
    <>
      <Section title="Codes">
        <QueryView
          query={query}
          lines={4}
          describe={(error) => describeError('read promotions', error)}
        >
          {({ rows, total }) =>
            rows.length === 0 ? (
              <EmptyState title="No promotion codes yet">
                A code gives subscribers a discount or a longer free trial at checkout.{' '}
                {mayCreate
                  ? 'Create the first one below, then share its link.'
                  : 'Operators can create one.'}
              </EmptyState>
            ) : (
              <Stack gap="md">
                <Text c="dimmed">
                  Revenue is what subscriptions that began with the code have paid, minus refunds.
                  Discounts are the amounts that their invoices were reduced by.
                </Text>
                <DataTable
                  label="Promotion codes"
                  columns={columnsFor(setEnding)}
                  rows={rows}
                  rowKey={({ id }) => id}
                />
                <TablePages offset={offset} limit={pageSize} total={total} onChange={setOffset} />
              </Stack>
            )
          }
        </QueryView>
      </Section>
      {mayCreate ? (
        <Section title="Create a code">
          <PromotionForm />
        </Section>
      ) : null}
      <DeactivateDialog row={ending} onClose={() => setEnding(null)} />
    </>
  );
};
