import { explainError } from '@daylift/api-client/errors';
import { useAction } from '@daylift/api-client/use-action';
import { focusField, focusFirst } from '@daylift/ui/focus-first';
import { useForm } from '@mantine/form';
import { useCallback, useEffect, useRef, useState } from 'react';
import { refusedField } from '../../components/refused-field.ts';
import { guessZone } from '../../components/time-zones.ts';
import { useCurrencyOf } from '../../components/use-phone-countries.ts';
import type { PlanChoice } from '../../paths.ts';
import { keepDraft, readDraft } from './signup-draft.ts';
import {
  checkPersonalInfo,
  checkPreferences,
  type Problem,
  type SignupForm,
} from './signup-rules.ts';
import { startSubscription } from './start-subscription.ts';
import { useSignupStep } from './use-signup-step.ts';

const emptyForm: SignupForm = {
  name: '',
  email: '',
  phone: '',
  password: '',
  confirmPassword: '',
  timezone: '',
  delivery_time: '09:00',
  delivery_frequency: 'daily',
  sms_consent: false,
  ref: '',
};

/** Restores the draft. The time zone defaults to the browser's, and the referral code to the invitation's. */
const useSignupForm = (referral: string | null, onChange: () => void) => {
  const restored = useRef(false);
  const form = useForm<SignupForm>({
    initialValues: emptyForm,
    onValuesChange: (values) => {
      onChange();
      if (restored.current) keepDraft(values);
    },
  });
  const { setValues, setFieldValue } = form;
  useEffect(() => {
    if (restored.current) return;
    setValues({ timezone: guessZone(), ...readDraft() });
    restored.current = true;
  }, [setValues]);
  const invited = useRef<string | null>(null);
  useEffect(() => {
    if (referral === null || referral === invited.current) return;
    invited.current = referral;
    setFieldValue('ref', referral);
  }, [referral, setFieldValue]);
  return form;
};

/** State of the signup wizard: steps, validation and submit. */
export const useSignupWizard = (
  plan: PlanChoice,
  referral: string | null,
  /** Called when the account was created but the checkout needs a confirmation. */
  onStay: (error: unknown) => void,
) => {
  const [problem, setProblem] = useState<string | null>(null);
  const form = useSignupForm(referral, () => setProblem(null));
  const [lostPassword, setLostPassword] = useState(false);
  const { getInputNode, getValues } = form;
  const requirePasswordAgain = useCallback(() => {
    if (getValues().name === '' || getValues().password !== '') return;
    setLostPassword(true);
    focusField(getInputNode('password'));
  }, [getInputNode, getValues]);
  const { step, goTo } = useSignupStep(
    checkPersonalInfo(form.values) === null,
    requirePasswordAgain,
  );
  const currency = useCurrencyOf(form.values.phone) ?? null;
  const submit = useAction({
    mutationFn: (values: SignupForm) => startSubscription(values, plan, currency),
    onSuccess: (departure) => departure === 'leaving' || onStay(null),
    onError: (error) => {
      const field = refusedField(error);
      if (field) {
        form.setErrors({ [field]: explainError('sign up', error) ?? true });
        goTo('personal info');
      }
      onStay(error);
    },
  });
  /** Stays true while navigating to the checkout, so a second click can't sign up again. */
  const leaving = submit.isPending || submit.isSuccess;

  const show = (found: Problem | null): boolean => {
    setProblem(found?.message ?? null);
    form.setErrors(found?.errors ?? {});
    if (found) focusFirst(form)(found.errors);
    return found === null;
  };

  return {
    form,
    step,
    problem,
    lostPassword,
    leaving,
    error: submit.error,
    back: () => {
      submit.reset();
      show(null);
      goTo('personal info');
    },
    next: () => {
      if (step === 'personal info') {
        if (!show(checkPersonalInfo(form.values))) return;
        submit.reset();
        goTo('preferences');
      } else if (!leaving && show(checkPreferences(form.values))) {
        submit.mutate(form.values);
      }
    },
  };
};
