import type { GiftOffer } from '@daylift/contracts/gifts.http';
import { type Currency, monthsInWords } from '@daylift/contracts/plans';
import { focusField } from '@daylift/ui/focus-first';
import { formatMoney } from '@daylift/ui/formats';
import { Button } from '@mantine/core';
import { IconHeartHandshake } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import { plusTax, trialLabel, useCatalogue, useTrialDays } from '../../catalogue.ts';
import { AppLink } from '../../components/AppLink.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { usePromotion, type VisitPromotion } from '../../components/PromotionField.tsx';
import { useCurrencyOf } from '../../components/use-phone-countries.ts';
import { useVisitGift } from '../../components/visit-gift.ts';
import { type PlanChoice, paths } from '../../paths.ts';
import { useSession } from '../../session/current-user.ts';
import { CheckingCheckout } from './CheckingCheckout.tsx';
import { PersonalInfoStep } from './PersonalInfoStep.tsx';
import { PreferencesStep } from './PreferencesStep.tsx';
import { ResumeCheckout } from './ResumeCheckout.tsx';
import { SignupFailure } from './SignupFailure.tsx';
import classes from './SignupPage.module.css';
import { GiftSummary, SignupSummary } from './SignupSummary.tsx';
import { unknownReferralWords, useIsKnownReferral } from './signup.queries.ts';
import { usePendingSignup } from './use-pending-signup.ts';
import { usePlanChoice } from './use-plan-choice.ts';
import type { Step } from './use-signup-step.ts';
import { useSignupWizard } from './use-signup-wizard.ts';

const steps: { step: Step; label: string }[] = [
  { step: 'personal info', label: 'Personal Info' },
  { step: 'preferences', label: 'Preferences' },
];

const StepList = ({ current }: { current: Step }) => (
  <ol className={classes.steps} aria-label="Steps">
    {steps.map(({ step, label }, at) => (
      <li key={step} aria-current={step === current ? 'step' : undefined}>
        <span className={classes.number} aria-hidden="true">
          {at + 1}
        </span>
        {label}
      </li>
    ))}
  </ol>
);

/** Focuses the new step's heading, or its first invalid field. */
const useStepHeading = (step: Step) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const invalid = heading.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid]');
    if (invalid) focusField(invalid);
    else heading.current?.focus();
  }, [step]);
  return heading;
};

const Wizard = ({
  plan,
  referral,
  trialDays,
  gift,
  onPhone,
  onStay,
}: {
  plan: PlanChoice;
  referral: string | null;
  trialDays: number | undefined;
  gift: GiftOffer | undefined;
  onPhone: (phone: string) => void;
  onStay: (error: unknown) => void;
}) => {
  const { form, step, problem, lostPassword, leaving, error, back, next } = useSignupWizard(
    plan,
    referral,
    onStay,
  );
  const { phone } = form.values;
  useEffect(() => onPhone(phone), [onPhone, phone]);
  const heading = useStepHeading(step);
  const label = trialLabel(useCatalogue(), trialDays);
  const first = step === 'personal info';
  return (
    <form
      className={classes.card}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <StepList current={step} />
      <h2 ref={heading} tabIndex={-1} className={classes.heading}>
        {first ? 'Who is the text for?' : 'When should it arrive?'}
      </h2>
      {first ? (
        <PersonalInfoStep form={form} lostPassword={lostPassword} />
      ) : (
        <PreferencesStep form={form} />
      )}
      <div className={classes.message}>
        {problem ? <FormMessage>{problem}</FormMessage> : null}
        {!problem && error ? <SignupFailure error={error} /> : null}
      </div>
      <div className={classes.actions}>
        {first ? (
          <AppLink className={classes.home} href={paths.home}>
            Back to Home
          </AppLink>
        ) : (
          <Button variant="default" onClick={back} disabled={leaving}>
            Back
          </Button>
        )}
        <Button type="submit" color="dawn" className={classes.go} loading={leaving}>
          {first ? 'Continue' : gift ? 'Start My Texts' : label}
        </Button>
      </div>
      {first || gift ? null : (
        <p className={classes.small}>
          Next, you'll add your card on our payment provider's secure page. You won't be charged
          today if this is your first free trial (one per person and card).
        </p>
      )}
    </form>
  );
};

const Introduction = ({
  plan,
  currency,
  trialDays,
  referral,
  offered,
  gift,
}: {
  plan: PlanChoice;
  currency: Currency | undefined;
  trialDays: number | undefined;
  referral: string | null;
  gift: GiftOffer | undefined;
  /** The price with a promotion code. */
  offered: string | undefined;
}) => {
  const catalogue = useCatalogue(currency);
  const isKnown = useIsKnownReferral(referral ?? '');
  const chosen = catalogue?.plans.find((choice) => choice.id === plan);
  const price =
    offered ??
    (catalogue && chosen
      ? `${formatMoney(chosen.price_cents, catalogue.currency)}/${chosen.interval}`
      : null);
  const added = catalogue ? plusTax(catalogue) : '';
  return (
    <header className={classes.introduction}>
      <h1 className={classes.title}>Your first good morning is a day away</h1>
      <p className={classes.lead}>
        {gift
          ? `A gift ${gift.buyer_name ? `from ${gift.buyer_name}` : 'for you'}: ${monthsInWords(gift.months)}, free.`
          : price === null
            ? '\u00a0'
            : trialDays
              ? `${trialDays} days free, then ${price}${added}.`
              : `${price}${added}.`}
      </p>
      {referral === null ? null : (
        <p className={classes.invited}>
          <IconHeartHandshake size={20} stroke={1.9} aria-hidden="true" />
          {isKnown === false ? unknownReferralWords : 'A friend invited you.'}
          {isKnown ? " They'll get a thank-you once you subscribe." : null}
        </p>
      )}
    </header>
  );
};

/** Shows the wizard, the pending checkout, or the already-subscribed notice. */
const Task = ({
  plan,
  currency,
  referral,
  promotion,
  gift,
  task,
  onPhone,
}: {
  plan: PlanChoice;
  currency: Currency | undefined;
  referral: string | null;
  promotion: VisitPromotion;
  gift: GiftOffer | undefined;
  task: ReturnType<typeof usePendingSignup>;
  onPhone: (phone: string) => void;
}) => {
  const { signedIn } = useSession();
  // A second signup would be rejected.
  if (signedIn) return <Navigate to={gift ? paths.redeem : paths.upgradeTo(plan)} replace />;
  return task.pending ? (
    <ResumeCheckout
      signup={task.pending}
      plan={plan}
      currency={currency}
      firstCents={promotion.offer?.first_cents}
      task={task}
      onRefused={promotion.check}
    />
  ) : (
    <>
      <CheckingCheckout />
      <Wizard
        plan={plan}
        referral={referral}
        trialDays={promotion.offer?.trial_days}
        gift={gift}
        onPhone={onPhone}
        onStay={(error) => {
          promotion.check();
          task.readAgain(error);
        }}
      />
    </>
  );
};

export const SignupPage = () => {
  const { plan, choosePlan, ref, promo } = usePlanChoice();
  const task = usePendingSignup();
  const gift = useVisitGift();
  const [phone, setPhone] = useState('');
  const phoneCurrency = useCurrencyOf(phone);
  const expected = task.pending ? (task.pending.currency ?? undefined) : phoneCurrency;
  const promotion = usePromotion(promo, plan, task.pending?.id, expected);
  const { offer } = promotion;
  // The server knows the currency of an account.
  const currency = offer?.currency ?? expected;
  const usualDays = useTrialDays(task.pending?.trial === false);
  const trialDays = usualDays && offer ? offer.trial_days : usualDays;
  return (
    <div className={classes.sky}>
      <PageTitle>{gift ? 'Redeem your gift' : 'Start your free trial'}</PageTitle>
      <div className={classes.page}>
        <Introduction
          plan={plan}
          currency={currency}
          trialDays={trialDays}
          referral={ref}
          offered={offer?.price}
          gift={gift}
        />
        <Task
          plan={plan}
          currency={currency}
          referral={ref}
          promotion={promotion}
          gift={gift}
          task={task}
          onPhone={setPhone}
        />
        {gift ? (
          <GiftSummary months={gift.months} />
        ) : (
          <SignupSummary
            plan={plan}
            currency={currency}
            trialDays={trialDays}
            promotion={promotion}
            onChoose={choosePlan}
          />
        )}
      </div>
    </div>
  );
};
