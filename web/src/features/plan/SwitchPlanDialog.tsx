import { formatMoney } from '@daylift/ui/formats';
import { announce } from '../../components/announce.ts';
import { ChargeFacts } from './ChargeFacts.tsx';
import { type PlanChangeProps, PlanDialog } from './PlanDialog.tsx';
import { usePlanName } from './plan-words.ts';
import { usePaidChange } from './use-paid-change.ts';

/** Shows the price of a switch, which is the amount charged. */
export const SwitchPlanDialog = ({ opened, plan, user, onClose, onGone }: PlanChangeProps) => {
  const name = usePlanName(plan.other_plan);
  const close = () => {
    paid.change.reset();
    onClose();
  };
  const paid = usePaidChange('switch', plan.other_plan, {
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
      onGone={onGone}
    >
      <ChargeFacts paid={paid} user={user} />
    </PlanDialog>
  );
};
