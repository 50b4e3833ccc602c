import { Text } from '@mantine/core';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { type PlanChangeProps, PlanDialog } from './PlanDialog.tsx';
import { useCancelPlan } from './plan.queries.ts';
import { endOf } from './plan-words.ts';

export const CancelPlanDialog = ({ opened, plan, user, onClose, onClosed }: PlanChangeProps) => {
  const cancel = useCancelPlan();
  const end = endOf(plan, user.timezone);
  // A trial was never charged.
  const free = `You won't be charged${plan.status === 'trial' ? '' : ' again'}`;
  const close = () => {
    cancel.reset();
    onClose();
  };
  const confirm = () =>
    cancel.mutate(undefined, {
      onSuccess: () => {
        announce(`Your plan is canceled. ${free}.`, 'good');
        close();
      },
    });
  return (
    <PlanDialog
      opened={opened}
      title="Cancel your plan?"
      confirmLabel="Yes, Cancel"
      keepLabel="Keep My Plan"
      tone="red"
      busy={cancel.isPending}
      onConfirm={confirm}
      onClose={close}
      onClosed={onClosed}
    >
      <Text>
        {end === null || user.opted_out || plan.hold
          ? `Your plan will end${end === null ? '' : ` on ${end}`}`
          : `You'll keep getting your texts until ${end}`}
        . {free}
        {plan.hold ? '.' : ', and you can change your mind here until then.'}
      </Text>
      <ActionFailure action="change plan" error={cancel.error} />
    </PlanDialog>
  );
};
