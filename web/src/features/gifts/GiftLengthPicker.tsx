import {
  type GiftLength,
  giftLengths,
  giftPriceCents,
  monthsInWords,
} from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { plusTax, useCatalogue } from '../../catalogue.ts';
import classes from '../../components/PlanPicker.module.css';

/** Returns the price of a gift, or undefined until the catalogue is known. */
export const useGiftPrice = (): ((months: GiftLength) => string) | undefined => {
  const catalogue = useCatalogue();
  if (!catalogue) return undefined;
  const priceOf = (id: string) => catalogue.plans.find((plan) => plan.id === id)?.price_cents ?? 0;
  return (months) =>
    `${formatMoney(giftPriceCents(months, priceOf), catalogue.currency)}${plusTax(catalogue)}`;
};

export const GiftLengthPicker = ({
  months,
  onChoose,
}: {
  months: GiftLength;
  onChoose: (months: GiftLength) => void;
}) => {
  const priceOf = useGiftPrice();
  return (
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
            <strong>{priceOf?.(length) ?? '\u00a0'}</strong>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
