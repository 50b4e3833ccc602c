import { dayMs } from '@daylift/clock/durations';
import type { ProviderError } from '@daylift/contracts/sms-operations.http';
import { codeInWords } from '@daylift/delivery/reason-words';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { actions, outcomeTable, type Phase, type Rule } from '../provider/outcome-table.ts';
import { countErrors, type ErrorCount } from './provider-errors.repository.ts';

const countedDays = 30;

/** Returns the outcome table with the counts of the last 30 days, then the codes that it has no rule for. */
export async function listErrors(db: Kysely<SmsDatabase>, now: Date): Promise<ProviderError[]> {
  const first = new Date(now.getTime() - (countedDays - 1) * dayMs);
  const counts = await countErrors(db, { fromDay: first.toISOString().slice(0, 10) });
  const known = outcomeTable.map((rule) => ({
    code: rule.code,
    phase: rule.phase ?? null,
    meaning: meaningOf(rule),
    action: actions[rule.action].words,
    alerts: actions[rule.action].alerts,
    texts: counts.filter((one) => ruleOf(one) === rule).reduce((sum, { texts }) => sum + texts, 0),
  }));
  const unknown = counts
    .filter((one) => ruleOf(one) === undefined)
    .map(({ code, phase, texts }) => ({
      code,
      phase,
      meaning: 'Unknown code.',
      action: unknownAction[phase],
      alerts: true,
      texts,
    }));
  return [...known, ...unknown];
}

/** Returns the rule that an error was counted under, or undefined for an unknown code. */
export const ruleOf = ({ code, phase, is_opt_out }: ErrorCount): Rule | undefined =>
  outcomeTable.find(
    (rule) =>
      rule.code === code &&
      (rule.phase ?? phase) === phase &&
      (rule.action === 'opt_out') === is_opt_out,
  );

const meaningOf = ({ code, action }: Rule): string =>
  action === 'opt_out'
    ? 'Blocked, because the number texted STOP.'
    : (codeInWords(code) ?? `Error ${code}.`);

export const unknownAction: Record<Phase, string> = {
  sync: 'Depends on the HTTP status: a 429 is retried, another 4xx fails the text or pauses sending, and a 5xx is checked with the provider.',
  async: actions.fail.words,
};
