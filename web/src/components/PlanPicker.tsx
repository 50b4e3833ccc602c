import type { Currency } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { type Plan, plusTax, savingOf, useCatalogue } from '../catalogue.ts';
import type { PlanChoice } from '../paths.ts';
import classes from './PlanPicker.module.css';

export const PlanPicker = ({
  plan,
  currency,
  own,
  onChoose,
}: {
  plan: PlanChoice;
  currency: Currency | undefined;
  /** The plan that a subscriber has, which may have an earlier price. */
  own?: { plan: PlanChoice; price_cents: number; currency: Currency; taxed: boolean };
  onChoose: (plan: PlanChoice) => void;
}) => {
  const catalogue = useCatalogue(currency);
  if (!catalogue) return <div className={classes.place} aria-hidden="true" />;
  const isListed = ({ id, price_cents }: Plan) =>
    id !== own?.plan || (price_cents === own.price_cents && catalogue.currency === own.currency);
  const isComparable = catalogue.plans.every(isListed);
  return (
    <fieldset className={classes.plans}>
      <legend className={classes.legend}>Your plan</legend>
      {catalogue.plans.map((choice) => (
        <label key={choice.id} className={classes.plan}>
          <input
            type="radio"
            name="plan"
            value={choice.id}
            checked={choice.id === plan}
            onChange={() => onChoose(choice.id)}
          />
          <span className={classes.name}>
            {choice.name}
            {isComparable && savingOf(choice, catalogue) !== null ? (
              <span className={classes.saving}>Save {choice.saving_percent}%</span>
            ) : null}
          </span>
          <span className={classes.price}>
            <strong>
              {own?.plan === choice.id
                ? formatMoney(own.price_cents, own.currency)
                : formatMoney(choice.price_cents, catalogue.currency)}
            </strong>
            /{choice.interval}
            {plusTax({ plus_tax: own?.taxed ?? catalogue.plus_tax })}
          </span>
        </label>
      ))}
    </fieldset>
  );
};
