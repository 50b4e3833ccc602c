import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanAction, PlanView } from '@daylift/contracts/billing.http';
import { QueryView } from '@daylift/ui/QueryView';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { announce, announceFailure } from '../../components/announce.ts';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { CancelPlanDialog } from './CancelPlanDialog.tsx';
import { Invoices } from './Invoices.tsx';
import classes from './PlanCard.module.css';
import { PlanFacts } from './PlanFacts.tsx';
import { PortalButton } from './PortalButton.tsx';
import { planQuery, useUndoCancel } from './plan.queries.ts';
import { endOf, usePlanName } from './plan-words.ts';
import { SwitchPlanDialog } from './SwitchPlanDialog.tsx';
import { useFocusOnActions } from './use-focus-on-actions.ts';

const UndoCancel = () => {
  const undo = useUndoCancel();
  const write = () =>
    undo.mutate(undefined, {
      onSuccess: () => announce('Your plan continues.', 'good'),
      onError: (error) => announceFailure('change plan', error),
    });
  return (
    <Button color="dawn" loading={undo.isPending} onClick={write}>
      Keep My Plan
    </Button>
  );
};

/** Warns about anything that stops or will stop the texts. */
const Warning = ({ plan, timeZone }: { plan: PlanView; timeZone: string }) => {
  if (plan.status === 'past_due')
    return (
      <FormMessage>
        Your last payment didn't go through. Please update your card to keep getting your texts.
      </FormMessage>
    );
  const end = endOf(plan, timeZone);
  if (plan.actions.includes('checkout') && end !== null)
    return (
      <FormMessage kind="info">
        Your free trial doesn't need a card. You'll get texts until {end}. To continue after that,
        choose a plan.
      </FormMessage>
    );
  return plan.cancel_at_period_end && end !== null ? (
    <FormMessage kind="info">
      Your plan is canceled. You'll get texts until {end}, and you won't be charged again.
    </FormMessage>
  ) : null;
};

const Actions = ({ plan, timeZone }: { plan: PlanView; timeZone: string }) => {
  const [asked, setAsked] = useState<'switch' | 'cancel' | null>(null);
  const otherName = usePlanName(plan.other_plan);
  const may = (action: PlanAction) => plan.actions.includes(action);
  const { place, land } = useFocusOnActions(plan.actions.join());
  const dialog = { plan, timeZone, onClose: () => setAsked(null), onGone: land };
  return (
    <div ref={place} className={classes.actions}>
      {may('checkout') ? (
        <LinkButton look="call" href={paths.upgradeTo(plan.plan)}>
          Choose Your Plan
        </LinkButton>
      ) : null}
      {may('undo_cancel') ? <UndoCancel /> : null}
      {may('switch') ? (
        <Button onClick={() => setAsked('switch')}>Switch to {otherName}</Button>
      ) : null}
      {may('portal') ? <PortalButton>Card and Invoices</PortalButton> : null}
      {may('cancel') ? (
        <Button variant="default" onClick={() => setAsked('cancel')}>
          Cancel Plan
        </Button>
      ) : null}
      <SwitchPlanDialog opened={asked === 'switch'} {...dialog} />
      <CancelPlanDialog opened={asked === 'cancel'} {...dialog} />
    </div>
  );
};

const InvoiceList = ({ timeZone }: { timeZone: string }) => {
  const [shown, setShown] = useState(false);
  const id = useId();
  return (
    <div className={classes.papers}>
      <Button
        variant="subtle"
        aria-expanded={shown}
        aria-controls={id}
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Hide Invoices' : 'Show Invoices'}
      </Button>
      <div id={id}>{shown ? <Invoices timeZone={timeZone} /> : null}</div>
    </div>
  );
};

/** The plan, its next charge, and the actions to change or cancel it. */
export const PlanCard = ({ user }: { user: Me }) => (
  <DashboardCard title="Plan & Billing">
    <QueryView
      query={useQuery(planQuery)}
      lines={8}
      isEmpty={(plan) => plan.status === 'pending'}
      empty={<p className={classes.none}>Your plan starts when you finish your checkout.</p>}
    >
      {(plan) => (
        <div className={classes.plan}>
          <Warning plan={plan} timeZone={user.timezone} />
          <PlanFacts plan={plan} timeZone={user.timezone} />
          <Actions plan={plan} timeZone={user.timezone} />
          <InvoiceList timeZone={user.timezone} />
        </div>
      )}
    </QueryView>
  </DashboardCard>
);
