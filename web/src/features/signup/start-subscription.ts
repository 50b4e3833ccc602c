import { createClient } from '@daylift/api-client/request';
import { type Currency, defaultCurrency } from '@daylift/contracts/plans';
import { call } from '../../api.ts';
import { leaveFor } from '../../components/leaving.ts';
import { usablePromotion } from '../../components/PromotionField.tsx';
import {
  forgetGift,
  isGiftRefusal,
  keepRedeemed,
  readGiftCode,
} from '../../components/visit-gift.ts';
import { type PlanChoice, paths } from '../../paths.ts';
import { type PendingSignup, rememberPendingSignup } from '../../session/pending-signup.ts';
import { forgetInvitation } from './invitation.ts';
import { forgetDraft } from './signup-draft.ts';
import { readReferral, type SignupForm } from './signup-rules.ts';

export type Departure = 'leaving' | 'other terms';

/** Redeems the visit's gift. A rejected gift is forgotten, so the signup can continue with a checkout. */
const redeemGift = async (gift_code: string, { id }: PendingSignup): Promise<Departure> => {
  try {
    await call('POST /gifts/redeem', { body: { gift_code, subscription_id: id } });
  } catch (error) {
    if (isGiftRefusal(error)) forgetGift();
    throw error;
  }
  keepRedeemed();
  leaveFor(window.location.origin + paths.giftStarted);
  return 'leaving';
};

/**
 * Redeems the gift, or opens the provider's checkout page. Returns 'other terms' instead if the user expects a trial but
 * would be charged today, or in another currency.
 */
export const finishSignup = async (signup: PendingSignup, plan: PlanChoice): Promise<Departure> => {
  const gift = readGiftCode();
  if (gift !== null) return redeemGift(gift, signup);
  const expected = signup.currency ?? defaultCurrency;
  const {
    url,
    trial_days,
    currency = expected,
  } = await call('POST /payments/create-checkout', {
    body: {
      subscription_id: signup.id,
      plan,
      origin_url: window.location.origin,
      ...usablePromotion(),
    },
  });
  const trial = signup.trial && trial_days > 0;
  if (trial !== signup.trial || currency !== expected) {
    rememberPendingSignup({ ...signup, trial, currency });
    return 'other terms';
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

/**
 * Signs up, then redeems the gift or opens the checkout. The signup is stored, so a retry repeats only the second step.
 */
export const startSubscription = async (
  { ref: typed, ...form }: SignupForm,
  plan: PlanChoice,
  currency: Currency | null,
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
    currency,
    trial: true,
    consent: form.sms_consent,
    token: null,
  };
  rememberPendingSignup(pending);
  forgetDraft();
  forgetInvitation();
  const signedIn = { ...pending, token: await signInQuietly(form) };
  rememberPendingSignup(signedIn);
  return finishSignup(signedIn, plan);
};
