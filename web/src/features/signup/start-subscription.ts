import { createClient } from '@daylift/api-client/request';
import { call } from '../../api.ts';
import { leaveFor } from '../../components/leaving.ts';
import { usablePromotion } from '../../components/PromotionField.tsx';
import type { PlanChoice } from '../../paths.ts';
import { type PendingSignup, rememberPendingSignup } from '../../session/pending-signup.ts';
import { forgetInvitation } from './invitation.ts';
import { forgetDraft } from './signup-draft.ts';
import { readReferral, type SignupForm } from './signup-rules.ts';

export type Departure = 'leaving' | 'trial was used';

/**
 * Opens the provider's checkout page. Returns 'trial was used' instead if the user expects a trial but would be
 * charged today.
 */
export const goToCheckout = async (signup: PendingSignup, plan: PlanChoice): Promise<Departure> => {
  const { url, trial_days } = await call('POST /payments/create-checkout', {
    body: {
      subscription_id: signup.id,
      plan,
      origin_url: window.location.origin,
      ...usablePromotion(),
    },
  });
  if (signup.trial && trial_days === 0) {
    rememberPendingSignup({ ...signup, trial: false });
    return 'trial was used';
  }
  leaveFor(url);
  return 'leaving';
};

/** Has no token, so a failed sign-in doesn't end another session. */
const anonymousClient = createClient({ readToken: () => null });

/** Signs in with the new password. If this fails, the page after checkout asks for it. */
const signInQuietly = async ({
  email,
  password,
}: Pick<SignupForm, 'email' | 'password'>): Promise<string | null> => {
  try {
    const body = { login: email.trim(), password };
    return (await anonymousClient.call('POST /users/login', { body })).access_token;
  } catch {
    return null;
  }
};

/** Signs up, then opens the checkout. The signup is stored, so only a failed checkout is retried. */
export const startSubscription = async (
  { ref: typed, ...form }: SignupForm,
  plan: PlanChoice,
): Promise<Departure> => {
  const ref = readReferral(typed);
  const signup = await call('POST /subscriptions', {
    body: {
      ...form,
      name: form.name.trim(),
      email: form.email.trim(),
      phone: form.phone.trim(),
      plan,
      ...(ref ? { ref } : {}),
    },
  });
  const pending = {
    id: signup.id,
    name: signup.name,
    plan,
    trial: true,
    consent: form.sms_consent,
    token: null,
  };
  rememberPendingSignup(pending);
  forgetDraft();
  forgetInvitation();
  const signedIn = { ...pending, token: await signInQuietly(form) };
  rememberPendingSignup(signedIn);
  return goToCheckout(signedIn, plan);
};
