import type { UnreachableReason } from '@daylift/contracts/fields';

/** Why texts wait until a number is confirmed, as sentences to the subscriber. */
export const whyUnreachable: Record<UnreachableReason, string> = {
  landline: "It seems to be a landline, which can't get texts.",
  undelivered: "Your last three texts didn't arrive.",
  disconnected: "Your carrier says it isn't a working mobile number.",
  inactive: "We haven't texted it for 45 days, so please confirm that it's still yours.",
};
