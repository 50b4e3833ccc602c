import type { PlanId } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { announce } from '../../components/announce.ts';
import { ChargeFacts } from './ChargeFacts.tsx';
import { type PlanChangeProps, PlanDialog } from './PlanDialog.tsx';
import { usePlanName } from './plan-words.ts';
import { usePaidChange } from './use-paid-change.ts';

/** Shows the price of a switch, which is the amount charged. */
export const SwitchPlanDialog = ({
  opened,
  plan,
  to,
  user,
  onClose,
  onClosed,
}: PlanChangeProps & { to: PlanId }) => {
  const name = usePlanName(to);
  const close = () => {
    paid.change.reset();
    onClose();
  };
  const paid = usePaidChange('switch', to, {
    enabled: opened,
    onDone: () => {
      announce(`You're now on the ${name} plan.`, 'good');
      close();
    },
  });
  const charged = paid.preview.data?.charge_now_cents ?? 0;
  return (
    <PlanDialog
      opened={opened}
      title={`Switch to the ${name} plan?`}
      confirmLabel={
        charged > 0 ? `Switch and Pay ${formatMoney(charged, plan.currency)}` : 'Switch Plan'
      }
      busy={paid.change.isPending}
      ready={paid.ready}
      onConfirm={paid.confirm}
      onClose={close}
      onClosed={onClosed}
    >
      <ChargeFacts paid={paid} user={user} />
    </PlanDialog>
  );
};
