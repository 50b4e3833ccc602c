import { accounts, call } from '../../api.ts';
import { leaveFor } from '../../components/leaving.ts';
import type { PlanChoice } from '../../paths.ts';
import { type PendingSignup, rememberPendingSignup } from '../../session/pending-signup.ts';
import { forgetInvitation } from './invitation.ts';
import { forgetDraft } from './signup-draft.ts';
import type { SignupForm } from './signup-rules.ts';

export type Departure = 'leaving' | 'trial was used';

/**
 * Leaves this document for the provider's checkout page. Whoever still expects a trial, and has had it under another
 * account, stays: nobody comes to a page that charges today without having been told.
 */
export const goToCheckout = async (signup: PendingSignup, plan: PlanChoice): Promise<Departure> => {
  const { url, trial_days } = await call('POST /payments/create-checkout', {
    body: { subscription_id: signup.id, plan, origin_url: window.location.origin },
  });
  if (signup.trial && trial_days === 0) {
    rememberPendingSignup({ ...signup, trial: false });
    return 'trial was used';
  }
  leaveFor(url);
  return 'leaving';
};

/** The signup, then its checkout. What was created is remembered, so that a failed checkout is tried again alone. */
export const startSubscription = async (
  form: SignupForm,
  plan: PlanChoice,
  ref: string | null,
): Promise<Departure> => {
  const signup = await accounts.signUp({
    ...form,
    name: form.name.trim(),
    email: form.email.trim(),
    phone: form.phone.trim(),
    plan,
    ...(ref ? { ref } : {}),
  });
  const pending = {
    id: signup.id,
    name: signup.name,
    plan,
    trial: true,
    consent: form.sms_consent,
  };
  rememberPendingSignup(pending);
  forgetDraft();
  forgetInvitation();
  return goToCheckout(pending, plan);
};
