import type { PlanView } from '@daylift/contracts/billing.http';
import { Text } from '@mantine/core';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { announce } from '../../components/announce.ts';
import { PlanDialog } from './PlanDialog.tsx';
import { useCancelPlan } from './plan.queries.ts';
import { endOf } from './plan-words.ts';

/** One question, no detours: until when the texts come, and that nothing more is charged. */
export const CancelPlanDialog = ({
  opened,
  plan,
  timeZone,
  onClose,
  onGone,
}: {
  opened: boolean;
  plan: PlanView;
  timeZone: string;
  onClose: () => void;
  onGone: () => void;
}) => {
  const cancel = useCancelPlan();
  const end = endOf(plan, timeZone);
  const close = () => {
    cancel.reset();
    onClose();
  };
  const confirm = () =>
    cancel.mutate(undefined, {
      onSuccess: () => {
        announce('Your plan is cancelled. Nothing more will be charged.', 'good');
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
      onGone={onGone}
    >
      <Text>
        {end === null ? 'Your texts will stop' : `Your texts come until ${end}`}. Nothing more will
        be charged. Until then you can change your mind here.
      </Text>
      {cancel.isError ? <ActionFailure action="change plan" error={cancel.error} /> : null}
    </PlanDialog>
  );
};
