import type { Words } from '@daylift/mail/compose-mail';
import { type Addressee, compose, dayOf, money, planPage } from '../notices/words.ts';
import type { Subscription } from '../subscriptions/subscriptions.repository.ts';
import type { Stage } from './stages.ts';

type Owed = Pick<Subscription, 'owed_cents' | 'confirm_url' | 'card_declined' | 'stopped_at'>;

/** Returns the email for a stage. Its one link leads to where the subscriber can pay, confirm or update the card. */
export function dunningWords(
  to: Addressee,
  stage: Stage,
  row: Owed,
  { texts_until, currency }: { texts_until: Date | null; currency: string },
): Words {
  const day = texts_until === null ? null : dayOf(texts_until, to.customer.timezone);
  const cents = to.customer.email_proven ? row.owed_cents : null;
  const amount = cents === null ? '' : ` ${money(cents, currency)}`;
  const subject =
    row.confirm_url !== null && stage !== 'stopped'
      ? 'Please confirm your payment'
      : subjectOf(stage, row.stopped_at === null ? day : null);
  const problem =
    row.confirm_url === null
      ? `We couldn't charge your card${amount} for ${to.product.name}.`
      : `Your bank needs you to confirm your payment${amount === '' ? '' : ` of${amount}`} for ${to.product.name}.`;
  const paragraphs = [problem, ...textsOf(stage, row, day), linkOf(to, row)];
  return compose(to, subject, paragraphs);
}

function subjectOf(stage: Stage, day: string | null): string {
  if (stage === 'failed') return "Your payment didn't go through";
  if (stage === 'reminder' || day === null)
    return stage === 'stopped' ? 'Your texts have stopped' : 'Your payment is still due';
  return stage === 'last_reminder'
    ? `Last reminder: your texts stop on ${day}`
    : `Your texts stop on ${day}`;
}

/** Returns nothing for a number that replied STOP, because it gets no texts anyway. */
function textsOf(stage: Stage, { stopped_at }: Owed, day: string | null): string[] {
  if (stopped_at !== null) return [];
  if (stage === 'stopped')
    return ["Your texts have stopped. They'll start again once your payment goes through."];
  return day === null
    ? []
    : [`Your texts will stop on ${day} unless your payment goes through by then.`];
}

/** The provider's page needs no sign-in, so it isn't sent to an unconfirmed address. */
function linkOf(to: Addressee, { confirm_url, card_declined }: Owed): string {
  if (confirm_url !== null)
    return `Confirm my payment: ${to.customer.email_proven ? confirm_url : planPage(to)}`;
  return `${card_declined ? 'Update my card' : 'Pay now'}: ${planPage(to)}`;
}

export const endedWords = (to: Addressee): Words =>
  compose(to, 'Your subscription has ended', [
    "We couldn't charge your card, so your subscription has ended. We won't try to charge it again.",
    'You can subscribe again anytime.',
    `Subscribe again: ${planPage(to)}`,
  ]);
