import { type Currency, type GiftLength, monthsInWords } from '@daylift/contracts/plans';
import { formatMoney } from '@daylift/ui/formats';
import { plusTax, useCatalogue } from '../../catalogue.ts';
import { PlanPicker } from '../../components/PlanPicker.tsx';
import { PromotionField, type VisitPromotion } from '../../components/PromotionField.tsx';
import type { PlanChoice } from '../../paths.ts';
import classes from './SignupSummary.module.css';

/** Beside the form of a signup with a gift. */
export const GiftSummary = ({ months }: { months: GiftLength }) => (
  <aside className={classes.summary} aria-label="Your gift">
    <dl className={classes.bill}>
      <div className={classes.due}>
        <dt>Your gift</dt>
        <dd>{monthsInWords(months)}</dd>
      </div>
      <div>
        <dt>Due today</dt>
        <dd>Nothing</dd>
      </div>
    </dl>
    <p className={classes.note}>
      You don't need a card. Nothing renews: when the gift ends, you decide whether to continue.
    </p>
  </aside>
);

/** Order summary beside the form. */
export const SignupSummary = ({
  plan,
  currency,
  trialDays,
  promotion,
  onChoose,
}: {
  plan: PlanChoice;
  currency: Currency | undefined;
  trialDays: number | undefined;
  promotion: VisitPromotion;
  onChoose: (plan: PlanChoice) => void;
}) => {
  const catalogue = useCatalogue(currency);
  const chosen = catalogue?.plans.find((choice) => choice.id === plan);
  const money = (cents: number) => (catalogue ? formatMoney(cents, catalogue.currency) : '\u00a0');
  const paidNow = trialDays === 0;
  const added = catalogue ? plusTax(catalogue) : '';
  const { offer } = promotion;
  const first = offer?.first_cents ?? chosen?.price_cents ?? 0;
  return (
    <aside className={classes.summary} aria-label="Your subscription">
      <PlanPicker plan={plan} currency={currency} onChoose={onChoose} />
      <PromotionField promotion={promotion} />
      <dl className={classes.bill}>
        <div className={classes.due}>
          <dt>Due today</dt>
          <dd>
            {money(paidNow ? first : 0)}
            {paidNow ? added : ''}
          </dd>
        </div>
        <div>
          <dt>{trialDays ? `After ${trialDays} free days` : paidNow ? 'After that' : '\u00a0'}</dt>
          <dd>
            {chosen
              ? `${offer?.price ?? `${money(chosen.price_cents)}/${chosen.interval}`}${added}`
              : '\u00a0'}
          </dd>
        </div>
      </dl>
      <p className={classes.note}>
        {paidNow
          ? "We'll email you a receipt. Cancel anytime."
          : "We'll email you before the first charge. Cancel before then and you pay nothing."}
      </p>
    </aside>
  );
};
