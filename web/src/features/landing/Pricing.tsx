import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import type { Currency } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  catalogueQuery,
  type Plan,
  plusTax,
  type Saving,
  savingOf,
  trialLabel,
  useCatalogue,
} from '../../catalogue.ts';
import { AppLink } from '../../components/AppLink.tsx';
import { LinkButton } from '../../components/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { HowItWorks } from './HowItWorks.tsx';
import classes from './Pricing.module.css';

const included = [
  'One text a day, or one a week',
  'Any hour, any time zone',
  'Change, pause or cancel anytime',
];

const noteOf = ({ perMonthCents, freeMonths }: Saving, currency: string) => {
  const perMonth = `About ${formatMoney(perMonthCents, currency)}/month`;
  if (freeMonths < 1) return perMonth;
  return `${perMonth}, ${freeMonths} ${freeMonths === 1 ? 'month' : 'months'} free`;
};

const PlanCard = ({ plan, catalogue }: { plan: Plan; catalogue: PublicCatalogue }) => {
  const saving = savingOf(plan, catalogue);
  const isBest =
    saving !== null && catalogue.plans.every((one) => one.saving_percent <= saving.percent);
  return (
    <li className={classes.card} data-featured={isBest}>
      <h3 className={classes.name}>
        {plan.name}
        {saving ? <span className={classes.saving}>Save {saving.percent}%</span> : null}
      </h3>
      <p className={classes.price}>
        <strong>{formatMoney(plan.price_cents, catalogue.currency)}</strong>/{plan.interval}
        {plusTax(catalogue)}
      </p>
      <p className={classes.note}>
        {saving ? noteOf(saving, catalogue.currency) : 'Stay as long as it does you good'}
      </p>
      <ul className={classes.list}>
        {[`${catalogue.trial_days} days free, nothing due today`, ...included].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <LinkButton
        look={isBest ? 'call' : 'quiet'}
        href={paths.signupFor(plan.id)}
        aria-label={`${trialLabel(catalogue)}, ${plan.name} plan`}
      >
        {trialLabel(catalogue)}
      </LinkButton>
    </li>
  );
};

/** Prices come from the catalogue; placeholders keep their space until then. */
export const Pricing = () => {
  const { isError, refetch } = useQuery(catalogueQuery);
  const base = useCatalogue();
  const [currency, setCurrency] = useState<Currency>();
  const catalogue = useCatalogue(currency) ?? base;
  const countries = base?.countries;
  useEffect(() => {
    if (!countries?.some((one) => one.currency)) return;
    // Loaded only where it's needed, because it would exceed the page's script budget.
    void import('../../components/visitor-currency.ts').then(
      (it) => setCurrency(it.visitorCurrency(countries)),
      () => undefined,
    );
  }, [countries]);
  return (
    <section id="pricing" className={classes.band} aria-labelledby="pricing-title">
      <div className={classes.section}>
        <HowItWorks />
        <h2 id="pricing-title" className={classes.title}>
          Less than a coffee, every month
        </h2>
        <p className={classes.lead}>
          Every plan includes the same gentle texts. Start with a free trial; we'll email you before
          the first charge.
        </p>
        {isError ? (
          <p className={classes.failed} role="alert">
            We couldn't load the prices.{' '}
            <button type="button" className={classes.retry} onClick={() => refetch()}>
              Try again
            </button>
          </p>
        ) : (
          <ul className={classes.plans} aria-busy={!catalogue}>
            {catalogue
              ? catalogue.plans.map((plan) => (
                  <PlanCard key={plan.id} plan={plan} catalogue={catalogue} />
                ))
              : ['first', 'second'].map((place) => (
                  <li key={place} className={classes.place} aria-hidden="true" />
                ))}
          </ul>
        )}
        {countries?.some((one) => one.currency) ? (
          <p className={classes.after}>
            In some countries, prices are in the local currency. Your phone number's country
            decides, and you'll see the price at signup.
          </p>
        ) : null}
        <p className={classes.after}>
          Know someone who'd love this? <AppLink href={paths.gift}>Give it as a gift</AppLink>
        </p>
      </div>
    </section>
  );
};
