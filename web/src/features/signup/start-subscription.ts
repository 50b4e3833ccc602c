import { accounts, billing } from '../../api.ts';
import type { PlanChoice } from '../../paths.ts';
import { forgetInvitation } from './invitation.ts';
import { type PendingSignup, rememberPendingSignup } from './pending-signup.ts';
import { forgetDraft } from './signup-draft.ts';
import type { SignupForm } from './signup-rules.ts';

/** Opens the provider's checkout page. Leaves this document. */
export const goToCheckout = async (signup: PendingSignup, plan: PlanChoice): Promise<void> => {
  const { url } = await billing.createCheckout({
    subscription_id: signup.id,
    plan,
    origin_url: window.location.origin,
  });
  if (!/^https?:\/\//.test(url)) throw new Error('the checkout has no web address');
  window.location.assign(url);
};

/** The signup, then its checkout. What was created is remembered, so that a failed checkout is tried again alone. */
export const startSubscription = async (
  form: SignupForm,
  plan: PlanChoice,
  ref: string | null,
): Promise<void> => {
  const signup = await accounts.signUp({
    ...form,
    name: form.name.trim(),
    email: form.email.trim(),
    phone: form.phone.trim(),
    plan,
    ...(ref ? { ref } : {}),
  });
  const pending = { id: signup.id, name: signup.name, plan };
  rememberPendingSignup(pending);
  forgetDraft();
  forgetInvitation();
  await goToCheckout(pending, plan);
};
