import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import {
  type GiftLength,
  giftLengths,
  giftPriceCents,
  monthsInWords,
} from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { plusTax } from '../../catalogue.ts';
import classes from '../../components/PlanPicker.module.css';

/** Returns the price of a gift. */
export const giftPrice = (catalogue: PublicCatalogue, months: GiftLength): string => {
  const priceOf = (id: string) => catalogue.plans.find((plan) => plan.id === id)?.price_cents ?? 0;
  return `${formatMoney(giftPriceCents(months, priceOf), catalogue.currency)}${plusTax(catalogue)}`;
};

export const GiftLengthPicker = ({
  months,
  catalogue,
  onChoose,
}: {
  months: GiftLength;
  catalogue: PublicCatalogue | undefined;
  onChoose: (months: GiftLength) => void;
}) => (
  <fieldset className={classes.plans}>
    <legend className={classes.legend}>How long?</legend>
    {giftLengths.map((length) => (
      <label key={length} className={classes.plan}>
        <input
          type="radio"
          name="months"
          value={length}
          checked={length === months}
          onChange={() => onChoose(length)}
        />
        <span className={classes.name}>{monthsInWords(length)}</span>
        <span className={classes.price}>
          <strong>{catalogue ? giftPrice(catalogue, length) : '\u00a0'}</strong>
        </span>
      </label>
    ))}
  </fieldset>
);
