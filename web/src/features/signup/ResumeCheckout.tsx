import { useAction } from '@daylift/api-client/use-action';
import type { Currency } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { plusTax, useCatalogue } from '../../catalogue.ts';
import { readGiftCode } from '../../components/visit-gift.ts';
import type { PlanChoice } from '../../paths.ts';
import type { PendingSignup } from '../../session/pending-signup.ts';
import { SignupFailure } from './SignupFailure.tsx';
import classes from './SignupPage.module.css';
import { finishSignup } from './start-subscription.ts';
import type { usePendingSignup } from './use-pending-signup.ts';

const Charge = ({
  trial,
  plan,
  currency,
  firstCents,
}: {
  trial: boolean;
  plan: PlanChoice;
  currency: Currency | undefined;
  firstCents: number | undefined;
}) => {
  const catalogue = useCatalogue(currency);
  const price = firstCents ?? catalogue?.plans.find((choice) => choice.id === plan)?.price_cents;
  if (trial) return 'Nothing is charged today.';
  const amount =
    catalogue && price !== undefined
      ? `${formatMoney(price, catalogue.currency)}${plusTax(catalogue)}`
      : 'its price';
  return `This email or phone number has already had a free trial, so you'll be charged ${amount} today.`;
};

/** The account exists; continues with the checkout instead of a second signup. */
export const ResumeCheckout = ({
  signup,
  plan,
  currency,
  firstCents,
  onRefused,
  task: { failure, appearedLate, readAgain, startOver },
}: {
  signup: PendingSignup;
  plan: PlanChoice;
  currency: Currency | undefined;
  /** The first payment with a promotion code. */
  firstCents: number | undefined;
  onRefused: () => void;
  task: ReturnType<typeof usePendingSignup>;
}) => {
  const checkout = useAction({
    mutationFn: () => finishSignup({ ...signup, currency: currency ?? null }, plan),
    onSuccess: (departure) => {
      if (departure === 'leaving') return;
      checkout.reset();
      readAgain(null);
    },
    onError: onRefused,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (appearedLate) heading.current?.focus();
  }, [appearedLate]);
  const leaving = checkout.isPending || checkout.isSuccess;
  const hasGift = readGiftCode() !== null;
  const problem = checkout.isIdle ? failure : checkout.error;
  return (
    <div className={classes.card}>
      <h2 ref={heading} tabIndex={-1} className={classes.heading}>
        Almost there, {signup.name}
      </h2>
      <p>
        {hasGift ? (
          'Your account is ready. One last step: redeem your gift.'
        ) : (
          <>
            Your account is ready. One last step: add your card on our payment provider's secure
            page.{' '}
            <Charge trial={signup.trial} plan={plan} currency={currency} firstCents={firstCents} />
          </>
        )}
      </p>
      <div className={classes.message}>{problem ? <SignupFailure error={problem} /> : null}</div>
      <div className={classes.actions}>
        <Button variant="subtle" onClick={startOver} disabled={leaving}>
          Sign up someone else
        </Button>
        <Button
          color="dawn"
          className={classes.go}
          onClick={() => checkout.mutate()}
          loading={leaving}
        >
          {hasGift ? 'Redeem My Gift' : 'Continue to Payment'}
        </Button>
      </div>
    </div>
  );
};
