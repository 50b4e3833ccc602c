import type { StaffActionKind, StaffOptions } from '@daylift/contracts/billing.http';
import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { ErrorText } from '@daylift/ui/ErrorText';
import { formatDay, formatMoney } from '@daylift/ui/formats';
import { NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ActionDialog.tsx';
import { ReasonField } from '../../../components/ReasonField.tsx';
import { WholeNumberInput } from '../../../components/WholeNumberInput.tsx';
import { useStaffAction } from './staff-actions.queries.ts';
import { centsOf, confirmLabel, describeEffect, describeLimit } from './staff-words.ts';

const titles: Record<StaffActionKind, string> = {
  refund: 'Refund payment',
  credit: 'Give credit',
  free_days: 'Give free days',
  extend_trial: 'Extend trial',
  free_access: 'Give free access',
  cancel_now: "Cancel this subscriber's plan?",
  cancel_at_period_end: "Cancel this subscriber's plan?",
};

const blank = {
  kind: null as StaffActionKind | null,
  amount: '',
  invoice: '',
  until: '',
  reason: '',
};

interface Props {
  /** Opens the dialog while set. With several kinds, the admin chooses one. */
  kinds: StaffActionKind[] | null;
  subscriber: AdminSubscriber;
  options: StaffOptions;
  onClose: () => void;
}

const useForm = ({ kinds: opened, options }: Props) => {
  const [values, setValues] = useState(blank);
  const [days, setDays] = useState<number | string>(7);
  // While the dialog closes, it shows what it was opened for.
  const [kinds, setKinds] = useState(opened);
  if (opened !== null && opened !== kinds) {
    setKinds(opened);
    setValues(blank);
    setDays(7);
  }
  const kind = values.kind ?? kinds?.[0] ?? 'refund';
  const set = (change: Partial<typeof blank>) => setValues((now) => ({ ...now, ...change }));
  const { refundable } = options;
  const invoice = refundable.find((one) => one.invoice_id === values.invoice) ?? refundable[0];
  const usesDays = kind === 'free_days' || kind === 'extend_trial';
  const isWhole = typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= 366;
  const filled = {
    kind,
    cents: kind === 'refund' || kind === 'credit' ? centsOf(values.amount) : null,
    days: usesDays && isWhole ? days : null,
    until: values.until,
    invoice: invoice ?? null,
  };
  return { kinds, values, set, days, setDays, filled };
};

/** Asks for the details of a refund, credit, free time or cancellation, and shows its effect. */
export const StaffActionDialog = (props: Props) => {
  const { subscriber, options, onClose } = props;
  const { currency, refundable } = options;
  const action = useStaffAction(subscriber.id);
  const form = useForm(props);
  const { kinds, values, set, filled } = form;
  const { kind, cents, days, invoice } = filled;
  const effect = describeEffect(filled, { ...subscriber, options });
  const tooMuch =
    kind === 'refund' && cents !== null && invoice !== null && cents > invoice.left_cents
      ? `Only ${formatMoney(invoice.left_cents, currency)} of this payment is left to refund.`
      : describeLimit(filled, options);
  const request = {
    ...{ kind, reason: values.reason.trim(), until: values.until },
    amount_cents: cents ?? 0,
    days: days ?? 0,
    invoice_id: invoice?.invoice_id ?? '',
  };
  return (
    <ActionDialog
      input={props.kinds && request}
      mutation={action}
      title={titles[kind]}
      confirmLabel={confirmLabel(filled, currency)}
      cancelLabel={kind.startsWith('cancel') ? 'Go Back' : 'Cancel'}
      tone={kind.startsWith('cancel') ? 'danger' : 'calm'}
      ready={effect !== null && tooMuch === null && values.reason.trim().length >= 3}
      action="change subscription"
      done={({ state }) =>
        state === 'done'
          ? `Done. ${subscriber.name} will get an email about it.`
          : "In progress: the payment provider hasn't confirmed it yet."
      }
      onClose={onClose}
    >
      <Stack gap="md">
        {kinds !== null && kinds.length > 1 ? (
          <Radio.Group
            label="When"
            value={kind}
            onChange={(chosen) => set({ kind: chosen as StaffActionKind })}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="cancel_at_period_end" label="At the end of the current period" />
              <Radio value="cancel_now" label="Now" />
            </Stack>
          </Radio.Group>
        ) : null}
        {kind === 'refund' ? (
          <NativeSelect
            label="Payment"
            value={invoice?.invoice_id ?? ''}
            onChange={(event) => set({ invoice: event.currentTarget.value })}
            data={refundable.map((one) => ({
              value: one.invoice_id,
              label: `${formatDay(one.paid_at, subscriber.timezone)}: ${formatMoney(one.paid_cents, currency)} (${formatMoney(one.left_cents, currency)} refundable)`,
            }))}
          />
        ) : null}
        {kind === 'refund' || kind === 'credit' ? (
          <TextInput
            label={`Amount (${currency.toUpperCase()})`}
            description={`At least ${formatMoney(1, currency)}.`}
            inputMode="decimal"
            placeholder="4.99"
            withAsterisk
            value={values.amount}
            onChange={(event) => set({ amount: event.currentTarget.value })}
          />
        ) : null}
        {kind === 'free_days' || kind === 'extend_trial' ? (
          <WholeNumberInput label="Days" withAsterisk value={form.days} onChange={form.setDays} />
        ) : null}
        {kind === 'free_access' ? (
          <TextInput
            type="date"
            label="Last day"
            withAsterisk
            value={values.until}
            min={subscriber.today}
            onChange={(event) => set({ until: event.currentTarget.value })}
          />
        ) : null}
        <ReasonField
          description="Saved in the timeline, and included in the subscriber's data download."
          value={values.reason}
          onChange={(reason) => set({ reason })}
        />
        {tooMuch === null ? (
          <Text aria-live="polite">{effect ?? ''}</Text>
        ) : (
          <ErrorText>{tooMuch}</ErrorText>
        )}
      </Stack>
    </ActionDialog>
  );
};
