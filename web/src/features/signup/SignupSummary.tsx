import { formatMoney } from '@daylift/ui/formats';
import { useCatalogue } from '../../catalogue.ts';
import { PlanPicker } from '../../components/PlanPicker.tsx';
import type { PlanChoice } from '../../paths.ts';
import classes from './SignupSummary.module.css';

/** What it will cost and when, beside the form all the time. */
export const SignupSummary = ({
  plan,
  onChoose,
}: {
  plan: PlanChoice;
  onChoose: (plan: PlanChoice) => void;
}) => {
  const catalogue = useCatalogue();
  const chosen = catalogue?.plans.find((choice) => choice.id === plan);
  return (
    <aside className={classes.summary} aria-label="Your subscription">
      <PlanPicker plan={plan} onChoose={onChoose} />
      <dl className={classes.bill}>
        <div className={classes.due}>
          <dt>Due today</dt>
          <dd>{catalogue ? formatMoney(0, catalogue.currency) : '\u00a0'}</dd>
        </div>
        <div>
          <dt>{catalogue ? `After ${catalogue.trial_days} free days` : '\u00a0'}</dt>
          <dd>
            {catalogue && chosen
              ? `${formatMoney(chosen.price_cents, catalogue.currency)}/${chosen.interval}`
              : '\u00a0'}
          </dd>
        </div>
      </dl>
      <p className={classes.note}>
        We e-mail you before the first charge. Cancel before then and you pay nothing.
      </p>
    </aside>
  );
};
