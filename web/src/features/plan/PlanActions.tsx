import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanAction, PlanView } from '@daylift/contracts/billing.http';
import type { PlanId } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import { announce, announceFailure } from '../../components/announce.ts';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { useAreTextsOff } from '../../session/pause.ts';
import { CancelPlanDialog } from './CancelPlanDialog.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';
import { FinishCheckout } from './FinishCheckout.tsx';
import { KeepPlanDialog } from './KeepPlanDialog.tsx';
import { confirmUrl, isOwed, needsCard } from './owed-words.ts';
import { PayDialog } from './PayDialog.tsx';
import classes from './PlanCard.module.css';
import { PortalButton } from './PortalButton.tsx';
import { useUndoCancel } from './plan.queries.ts';
import { checkoutLabels } from './plan-words.ts';
import { SwitchPlanDialog } from './SwitchPlanDialog.tsx';
import { useFocusOnActions } from './use-focus-on-actions.ts';

const useKeepPlan = (isDialogOpen: boolean, onKept: () => void) => {
  const undo = useUndoCancel();
  const keep = () =>
    undo.mutate(undefined, {
      onSuccess: () => {
        announce('Your plan continues.', 'good');
        onKept();
      },
      onError: (error) => {
        if (!isDialogOpen) announceFailure('change plan', error);
      },
    });
  return { undo, keep };
};

/** All plan actions, with the most important one first and in color. */
export const PlanActions = ({ plan, user }: { plan: PlanView; user: Me }) => {
  const [openDialog, setOpenDialog] = useState<'keep' | 'pay' | 'cancel' | PlanId | null>(null);
  const { undo, keep } = useKeepPlan(openDialog === 'keep', () => setOpenDialog(null));
  const may = (action: PlanAction) => plan.actions.includes(action);
  const plans = useCatalogue()?.plans ?? [];
  const others = may('switch') ? plans.filter(({ id }) => id !== plan.plan) : [];
  const { place, focusFirst } = useFocusOnActions(plan.actions.join());
  const dialog = { plan, user, onClose: () => setOpenDialog(null), onClosed: focusFirst };
  const areTextsOff = useAreTextsOff(user);
  const label = checkoutLabels[plan.status];
  const checkout = label !== undefined && plan.free_until ? 'Choose a Plan' : label;
  return (
    <div ref={place} className={classes.actions}>
      <ConfirmButton plan={plan} variant="filled" color="dawn" />
      {needsCard(plan) ? (
        <PortalButton variant="filled" color="dawn">
          {plan.card === null ? 'Add Card' : 'Update Card'}
        </PortalButton>
      ) : null}
      {isOwed(plan) && may('pay') && plan.card !== null && confirmUrl(plan) === null ? (
        <Button
          {...(needsCard(plan) ? { variant: 'default' } : { color: 'dawn' })}
          onClick={() => setOpenDialog('pay')}
        >
          Pay {formatMoney(plan.owed.amount_cents, plan.currency)} Now
        </Button>
      ) : null}
      {may('undo_cancel') ? (
        <Button
          {...(areTextsOff || isOwed(plan) ? { variant: 'default' } : { color: 'dawn' })}
          loading={undo.isPending && openDialog === null}
          onClick={user.opted_out ? () => setOpenDialog('keep') : keep}
        >
          Keep My Plan
        </Button>
      ) : null}
      {may('upgrade') || may('checkout') ? (
        <LinkButton
          look={areTextsOff || may('undo_cancel') ? 'quiet' : 'call'}
          href={paths.signupFor(plan.plan)}
        >
          Upgrade to Full Plan
        </LinkButton>
      ) : null}
      {checkout === undefined ? null : (
        <div className={classes.checkout}>
          <FinishCheckout user={user} plan={plan.plan} withCode>
            {checkout}
          </FinishCheckout>
        </div>
      )}
      {others.map(({ id, name }) => (
        <Button key={id} variant="default" onClick={() => setOpenDialog(id)}>
          Switch to {name}
        </Button>
      ))}
      {may('portal') && !needsCard(plan) ? <PortalButton>Card and Invoices</PortalButton> : null}
      {may('cancel') ? (
        <Button variant="default" onClick={() => setOpenDialog('cancel')}>
          Cancel Plan
        </Button>
      ) : null}
      <PayDialog opened={openDialog === 'pay'} {...dialog} />
      <KeepPlanDialog opened={openDialog === 'keep'} undo={undo} onConfirm={keep} {...dialog} />
      {others.map(({ id }) => (
        <SwitchPlanDialog key={id} opened={openDialog === id} to={id} {...dialog} />
      ))}
      <CancelPlanDialog opened={openDialog === 'cancel'} {...dialog} />
    </div>
  );
};
