import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import { defaultCurrency } from '@daylift/contracts/plans';
import type { MovePricesRequest, PriceGroup } from '@daylift/contracts/price-moves.http';
import { formatCount, formatDay, formatMoney } from '@daylift/ui/formats';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { ReasonField } from '../../components/ReasonField.tsx';
import { createRequestKeys } from '../../components/request-key.ts';

export const peopleIn = (count: number): string =>
  count === 1 ? '1 subscriber' : `${formatCount(count)} subscribers`;

/** Asks for a reason and confirmation before subscribers are emailed about a new price. */
export const MovePricesDialog = ({
  group,
  onClose,
}: {
  group: PriceGroup | null;
  onClose: () => void;
}) => {
  const refresh = useRefresh('price-moves');
  const [keyFor] = useState(createRequestKeys);
  const [reason, setReason] = useState('');
  const move = useAction({
    mutationFn: (wanted: Omit<MovePricesRequest, 'request_key'>) =>
      call('POST /admin/price-moves', {
        body: { ...wanted, request_key: keyFor(JSON.stringify(wanted)) },
      }),
    onSuccess: refresh,
  });
  const money = (cents: number) => formatMoney(cents, group?.currency ?? defaultCurrency);
  return (
    <ActionDialog
      input={
        group && {
          ...{ plan: group.plan, from_cents: group.from_cents, to_cents: group.to_cents },
          // The previous version of billing rejects the field, and knows only this currency.
          ...(group.currency && group.currency !== defaultCurrency && { currency: group.currency }),
          reason: reason.trim(),
        }
      }
      mutation={move}
      action="move prices"
      title={group ? `Move ${peopleIn(group.subscribers)} to ${money(group.to_cents)}?` : ''}
      confirmLabel={group ? `Email ${peopleIn(group.subscribers)}` : ''}
      ready={reason.trim().length >= 3}
      done={() =>
        'Subscribers will get their emails now. Yearly subscribers get theirs about two months ahead.'
      }
      onClose={() => {
        setReason('');
        onClose();
      }}
    >
      {group ? (
        <Stack gap="md">
          <Text>
            {peopleIn(group.subscribers)} on the {group.plan} plan{' '}
            {group.subscribers === 1 ? 'pays' : 'pay'} {money(group.from_cents)}. Their price
            changes to {money(group.to_cents)} at their first renewal at least 30 days after their
            email: from {formatDay(group.first_at)} to {formatDay(group.last_at)}.
          </Text>
          <Text>
            Each of them can opt out: they keep their price until then, and their plan ends. Emails
            go out immediately, or 65 days ahead on the yearly plan. If you stop the move later,
            anyone who got this email gets another saying that their price stays the same.
          </Text>
          <ReasonField description="Saved in the audit log." value={reason} onChange={setReason} />
        </Stack>
      ) : null}
    </ActionDialog>
  );
};
