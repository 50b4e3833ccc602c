import { ApiError } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { guessZone } from '../../components/time-zones.ts';
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
};

/** Server errors that belong to a field of step 1. */
const refusedFields: Record<string, keyof SignupForm> = {
  INVALID_NAME: 'name',
  INVALID_PHONE: 'phone',
  COUNTRY_NOT_SERVED: 'phone',
};
const refusedField = (error: unknown): keyof SignupForm | undefined =>
  error instanceof ApiError ? refusedFields[error.code] : undefined;

const focusField = (name: string) =>
  document.querySelector<HTMLElement>(`form [name="${name}"]`)?.focus();

/** Restores the draft; the time zone defaults to the browser's. */
const useSignupForm = (onChange: () => void) => {
  const restored = useRef(false);
  const form = useForm<SignupForm>({
    initialValues: emptyForm,
    onValuesChange: (values) => {
      onChange();
      if (restored.current) keepDraft(values);
    },
  });
  const { setValues } = form;
  useEffect(() => {
    if (restored.current) return;
    setValues({ timezone: guessZone(), ...readDraft() });
    restored.current = true;
  }, [setValues]);
  return form;
};

/** State of the signup wizard: steps, validation and submit. */
export const useSignupWizard = (
  plan: PlanChoice,
  ref: string | null,
  /** Called when the account was created but the checkout needs a confirmation. */
  onStay: (error: unknown) => void,
) => {
  const [problem, setProblem] = useState<string | null>(null);
  const form = useSignupForm(() => setProblem(null));
  const { step, goTo } = useSignupStep(checkPersonalInfo(form.values) === null);
  const submit = useAction({
    mutationFn: (values: SignupForm) => startSubscription(values, plan, ref),
    onSuccess: (departure) => departure === 'leaving' || onStay(null),
    onError: (error) => {
      const field = refusedField(error);
      if (field) {
        form.setErrors({ [field]: true });
        goTo('personal info');
      }
      onStay(error);
    },
  });
  /** Stays true while navigating to the checkout, so a second click can't sign up again. */
  const leaving = submit.isPending || submit.isSuccess;

  const show = (found: Problem | null): boolean => {
    setProblem(found?.message ?? null);
    form.setErrors(Object.fromEntries((found?.fields ?? []).map((field) => [field, true])));
    if (found?.fields[0]) focusField(found.fields[0]);
    return found === null;
  };

  return {
    form,
    step,
    problem,
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
