import { describeError } from '@daylift/api-client/operators-errors';
import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { Gift } from '@daylift/contracts/gifts.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { ReasonField } from '../../components/ReasonField.tsx';
import { Section } from '../../components/Section.tsx';
import { SubscriberLink } from '../../components/SubscriberLink.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { useMay } from '../../session/use-admin.ts';

const pageSize = 100;
const giftsQuery = (offset: number) => ({
  ...apiQuery(['gifts', offset], 'GET /admin/gifts', { query: { limit: pageSize, offset } }),
  placeholderData: keepPreviousData,
});

const states: Record<Gift['state'], { tone: BadgeTone; label: string }> = {
  ready: { tone: 'green', label: 'Not redeemed' },
  redeemed: { tone: 'grey', label: 'Redeemed' },
  void: { tone: 'grey', label: 'Void' },
  refunded: { tone: 'grey', label: 'Refunded' },
  disputed: { tone: 'red', label: 'Disputed' },
};

interface GiftAction {
  gift: Gift;
  action: 'resend' | 'void' | 'erase';
}

const Actions = ({ gift, onSelect }: { gift: Gift; onSelect: (selected: GiftAction) => void }) => {
  const mayAct = useMay('operator');
  const mayErase = useMay('owner') && gift.buyer_email !== '';
  const isUsed = gift.redeemed_at !== null;
  if (!mayAct) return null;
  return (
    <Group gap="xs" justify="flex-end">
      {gift.state === 'ready' && !isUsed && gift.buyer_email !== '' ? (
        <Button
          variant="default"
          aria-label={`Resend link to ${gift.buyer_email}`}
          onClick={() => onSelect({ gift, action: 'resend' })}
        >
          Resend link
        </Button>
      ) : null}
      {gift.state === 'void' || isUsed ? null : (
        <Button
          variant="default"
          aria-label={`Void gift from ${gift.buyer_email}`}
          onClick={() => onSelect({ gift, action: 'void' })}
        >
          Void
        </Button>
      )}
      {mayErase ? (
        <Button
          variant="default"
          aria-label={`Erase buyer ${gift.buyer_email}`}
          onClick={() => onSelect({ gift, action: 'erase' })}
        >
          Erase buyer
        </Button>
      ) : null}
    </Group>
  );
};

const columnsFor = (onSelect: (selected: GiftAction) => void): Column<Gift>[] => [
  { header: 'Bought', cell: ({ bought_at }) => formatDay(bought_at) },
  {
    header: 'State',
    cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
  },
  { header: 'Months', cell: ({ months }) => months, numeric: true },
  {
    header: 'Paid',
    cell: ({ paid_cents, currency }) => formatMoney(paid_cents, currency),
    numeric: true,
  },
  {
    header: 'Buyer',
    cell: ({ buyer_name, buyer_email }) =>
      buyer_email === '' ? 'Erased' : `${buyer_name}, ${buyer_email}`,
  },
  {
    header: 'Redeemed by',
    cell: ({ redeemed_by, redeemed_at }) =>
      redeemed_by === null || redeemed_at === null ? (
        'No one yet'
      ) : (
        <>
          {redeemed_by.name === '' ? (
            'A deleted account'
          ) : (
            <SubscriberLink id={redeemed_by.id}>{redeemed_by.name}</SubscriberLink>
          )}
          {formatDay(redeemed_at)}
        </>
      ),
  },
  { header: 'Actions', cell: (gift) => <Actions gift={gift} onSelect={onSelect} />, numeric: true },
];

const words = {
  resend: {
    title: 'Resend the gift link?',
    label: 'Resend link',
    done: 'Link sent to the buyer.',
    text: 'The buyer gets the receipt and the link by email again.',
  },
  void: {
    title: 'Void this gift?',
    label: 'Void gift',
    done: 'Gift voided.',
    text: "The link stops working for good, and the payment isn't refunded. To return the money, refund it in Stripe, which also voids the gift.",
  },
  erase: {
    title: 'Erase this buyer?',
    label: 'Erase buyer',
    done: 'Buyer erased.',
    text: "Erases this buyer's name, email address and messages from every gift they bought, and deletes their customer records in Stripe. The links stay valid but can't be resent. Stripe keeps the invoices. This can't be undone.",
  },
};

const GiftDialog = ({
  selected,
  onClose,
}: {
  selected: GiftAction | null;
  onClose: () => void;
}) => {
  const refresh = useRefresh('gifts');
  const [reason, setReason] = useState('');
  const act = useAction({
    mutationFn: ({ gift: { id }, action }: GiftAction) => {
      const params = { id };
      if (action === 'void') return call('POST /admin/gifts/:id/void', { params });
      if (action === 'resend') return call('POST /admin/gifts/:id/resend', { params });
      const body = { reason: reason.trim() };
      return call('POST /admin/gifts/:id/erase-buyer', { params, body });
    },
    onSuccess: refresh,
  });
  const { title, label, done, text } = words[selected?.action ?? 'resend'];
  const isErasing = selected?.action === 'erase';
  return (
    <ActionDialog
      input={selected}
      mutation={act}
      action="change gift"
      title={title}
      confirmLabel={label}
      {...(selected !== null && selected.action !== 'resend' && { tone: 'danger' as const })}
      ready={!isErasing || reason.trim().length >= 3}
      done={() => done}
      onClose={() => {
        setReason('');
        onClose();
      }}
    >
      <Stack gap="md">
        <Text>{text}</Text>
        {isErasing ? (
          <ReasonField
            description="Saved in the audit log, which can't be erased, so don't name the buyer."
            value={reason}
            onChange={setReason}
          />
        ) : null}
      </Stack>
    </ActionDialog>
  );
};

/** Gifts that were paid, and who redeemed them. */
export const GiftsView = () => {
  const [offset, setOffset] = useState(0);
  const query = useQuery(giftsQuery(offset));
  const [selected, setSelected] = useState<GiftAction | null>(null);
  return (
    <>
      <Section title="Gifts">
        <QueryView query={query} lines={4} describe={(error) => describeError('read gifts', error)}>
          {({ rows, total }) =>
            rows.length === 0 ? (
              <EmptyState title="No gifts yet">
                Months of texts that someone buys for another person. Visitors buy them on the
                product's gift page, /gift. Each appears here once it's paid.
              </EmptyState>
            ) : (
              <Stack gap="md">
                <Text c="dimmed">
                  Gifts count toward revenue when they're paid, but never toward recurring revenue.
                  They don't expire.
                </Text>
                <DataTable
                  label="Gifts"
                  columns={columnsFor(setSelected)}
                  rows={rows}
                  rowKey={({ id }) => id}
                />
                <TablePages offset={offset} limit={pageSize} total={total} onChange={setOffset} />
              </Stack>
            )
          }
        </QueryView>
      </Section>
      <GiftDialog selected={selected} onClose={() => setSelected(null)} />
    </>
  );
};
