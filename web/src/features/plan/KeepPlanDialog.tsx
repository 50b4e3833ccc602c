import type { PlanView } from '@daylift/contracts/billing.http';
import { perPeriod } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { Stack, Text } from '@mantine/core';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { TextsStayOff } from '../../session/TextsOff.tsx';
import { type PlanChangeProps, PlanDialog } from './PlanDialog.tsx';
import type { UndoCancel } from './plan.queries.ts';
import { endOf } from './plan-words.ts';

const renewalCents = ({ price_cents, price_change, current_period_end }: PlanView): number =>
  price_change && price_change.at === current_period_end ? price_change.to_cents : price_cents;

/** Asks for confirmation before restoring the renewal of a subscriber who has opted out. */
export const KeepPlanDialog = ({
  opened,
  plan,
  user,
  undo,
  onConfirm,
  onClose,
  onClosed,
}: PlanChangeProps & { undo: UndoCancel; onConfirm: () => void }) => (
  <PlanDialog
    opened={opened}
    title="Keep your plan?"
    confirmLabel="Keep My Plan"
    busy={undo.isPending}
    onConfirm={onConfirm}
    onClose={onClose}
    onClosed={onClosed}
  >
    <Stack gap="md">
      <Text>
        Your plan will renew on {endOf(plan, user.timezone) ?? 'its last day'}
        {plan.offer
          ? `. Your price: ${plan.offer.price}.`
          : ` for ${formatMoney(renewalCents(plan), plan.currency)} ${perPeriod(plan.plan)}.`}
      </Text>
      <TextsStayOff user={user} />
      <ActionFailure action="change plan" error={undo.error} />
    </Stack>
  </PlanDialog>
);
