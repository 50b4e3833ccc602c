import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { PlanChoice } from '../../paths.ts';
import type { PendingSignup } from './pending-signup.ts';
import { SignupFailure } from './SignupFailure.tsx';
import classes from './SignupPage.module.css';
import { goToCheckout } from './start-subscription.ts';

/** The account is there, only the card is missing: on with the checkout instead of a second signup. */
export const ResumeCheckout = ({
  signup,
  plan,
  failure,
  onStartOver,
}: {
  signup: PendingSignup;
  plan: PlanChoice;
  /** Why the checkout did not open the last time. */
  failure: unknown;
  onStartOver: () => void;
}) => {
  const checkout = useMutation({ mutationFn: () => goToCheckout(signup, plan) });
  const leaving = checkout.isPending || checkout.isSuccess;
  const problem = checkout.isIdle ? failure : checkout.error;
  return (
    <div className={classes.card}>
      <h2 className={classes.heading}>Almost there, {signup.name}</h2>
      <p>
        Your account is ready. Only the last step is open: your card, on our payment provider's own
        page. Nothing is charged today.
      </p>
      <div className={classes.message}>{problem ? <SignupFailure error={problem} /> : null}</div>
      <div className={classes.actions}>
        <Button variant="subtle" onClick={onStartOver} disabled={leaving}>
          Sign up someone else
        </Button>
        <Button
          color="dawn"
          className={classes.go}
          onClick={() => checkout.mutate()}
          loading={leaving}
        >
          Continue to Payment
        </Button>
      </div>
    </div>
  );
};
