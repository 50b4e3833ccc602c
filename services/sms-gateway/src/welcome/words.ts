import type { Frequency } from '@daylift/contracts/fields';
import type { ReplyCommand } from '@daylift/contracts/sms.events';

export interface TransactionalWords {
  productName: string;
  supportEmail: string;
  /** Without a trailing slash. */
  publicUrl: string;
}

const frequencyInWords = (frequency: Frequency) =>
  frequency === 'weekly' ? '1 msg/week' : '1 msg/day';

/** Brand, frequency, rates, HELP and STOP, which carriers require in the first text. */
export function welcomeText({ productName }: TransactionalWords, frequency: Frequency): string {
  return `Welcome to ${productName}, {{first_name}}! ${frequencyInWords(frequency)}. Msg & data rates may apply. Reply HELP for help, STOP to cancel.`;
}

export function consentRequestText(
  { productName }: TransactionalWords,
  frequency: Frequency,
): string {
  return `${productName}: Reply YES to get your motivational texts here, ${frequencyInWords(frequency)}. Msg & data rates may apply. HELP for help, STOP to cancel.`;
}

export function codeText({ productName }: TransactionalWords, code: string): string {
  return `${productName}: ${code} is your code to set a new password. It expires in 10 minutes. Don't share it.`;
}

export function changeText({ productName }: TransactionalWords, code: string): string {
  return `${productName}: ${code} is your code to change your phone or email. It expires in 10 minutes. Don't share it.`;
}

export function proofText({ productName }: TransactionalWords, code: string): string {
  return `${productName}: ${code} is your code to confirm this number. It expires in 10 minutes. Don't share it.`;
}

/** Sent to the number before the change. The token follows the #, which browsers don't send to servers. */
export function revertText(
  { productName, publicUrl }: TransactionalWords,
  field: 'email' | 'phone',
  token: string,
): string {
  const what = field === 'email' ? 'email' : 'number';
  return `${productName}: Someone asked to change your ${what}. Not you? Undo it and reset your password: ${publicUrl}/revert-change#${token}`;
}

/** A number without an account has no frequency. */
export function helpText(
  { productName, supportEmail }: TransactionalWords,
  frequency: Frequency | null,
): string {
  const rhythm = frequency === null ? '' : `${frequency} `;
  return `${productName}: ${rhythm}motivational texts. For help write to ${supportEmail}. Msg & data rates may apply. Reply STOP to cancel.`;
}

export function stopConfirmationText({ productName }: TransactionalWords): string {
  return `${productName}: You are unsubscribed and will get no more texts. Reply START to resubscribe.`;
}

/** Sent to a number that several accounts claim. */
export function unclearYesText({ productName }: TransactionalWords): string {
  return `${productName}: YES can't confirm this number, as more than one account uses it. Please sign in and ask for a code in Settings. HELP for help, STOP to cancel.`;
}

/** Sent to a number whose account hasn't paid yet. */
export function noTextsYetText({ productName, publicUrl }: TransactionalWords): string {
  return `${productName}: Thanks! This number isn't set up for texts yet. Finish signing up or sign in: ${publicUrl} HELP for help, STOP to cancel.`;
}

export function pauseHelpText({ productName }: TransactionalWords): string {
  return `${productName}: Reply PAUSE 7 to pause your texts for 7 days (1 to 365). HELP for help, STOP to cancel.`;
}

/** Texts go out on the hour only. */
export function timeHelpText({ productName }: TransactionalWords, hours: number[]): string {
  const examples = hours.map((hour) => hourOf(hour).replace(' ', '')).join(' or ');
  return `${productName}: Texts go out on the hour. Reply ${examples} to set yours. HELP for help, STOP to cancel.`;
}

export function lastReply(content: string): string {
  return `${content} That's our last reply this hour, but we'll still act on what you text us.`;
}

export function optedInText({ productName }: TransactionalWords): string {
  return `${productName}: Texts to this number are back on. Reply HELP for help, STOP to cancel.`;
}

/** After a START that renewed the plan too. */
export function renewalText(
  { productName, publicUrl }: TransactionalWords,
  renewsAt: Date,
  timeZone: string,
): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(renewsAt);
  return `${productName}: Your START also continues your subscription. It renews on ${day}. Cancel anytime: ${publicUrl} HELP for help, STOP to cancel.`;
}

export function numberConfirmedText({ productName }: TransactionalWords): string {
  return `${productName}: Thank you, this number is confirmed. Reply HELP for help, STOP to cancel.`;
}

export function resumedButOffText({ productName, publicUrl }: TransactionalWords): string {
  return `${productName}: Your pause is over, but your texts are off for another reason. Sign in to see why: ${publicUrl} HELP for help, STOP to cancel.`;
}

export function confirmationText(
  { productName }: TransactionalWords,
  change: ReplyCommand,
): string {
  return `${productName}: ${confirmationOf(change)} Reply HELP for help, STOP to cancel.`;
}

function confirmationOf(change: ReplyCommand): string {
  switch (change.command) {
    case 'pause':
      return `Your texts are paused for ${change.days} ${change.days === 1 ? 'day' : 'days'}. Reply RESUME to start again sooner.`;
    case 'resume':
      return 'Your texts are back on.';
    case 'hour':
      return `Your texts now come at ${hourOf(change.delivery_hour)}.`;
    case 'frequency':
      return change.frequency === 'daily'
        ? 'You now get a text every day.'
        : 'You now get a text once a week.';
  }
}

function hourOf(hour: number): string {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  return `${twelve} ${hour < 12 ? 'AM' : 'PM'}`;
}
