import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { guessZone } from '../../components/time-zones.ts';
import type { PlanChoice } from '../../paths.ts';
import {
  checkPersonalInfo,
  checkPreferences,
  type Problem,
  type SignupForm,
} from './signup-rules.ts';
import { startSubscription } from './start-subscription.ts';

export type Step = 'personal info' | 'preferences';

const focusField = (name: string) =>
  document.querySelector<HTMLElement>(`form [name="${name}"]`)?.focus();

/** The two steps, what stands in their way, and the submit that leaves for the checkout. */
export const useSignupWizard = (
  plan: PlanChoice,
  ref: string | null,
  onError: (error: unknown) => void,
) => {
  const [step, setStep] = useState<Step>('personal info');
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<SignupForm>({
    initialValues: {
      name: '',
      email: '',
      phone: '',
      password: '',
      confirmPassword: '',
      timezone: guessZone(),
      delivery_time: '09:00',
      delivery_frequency: 'daily',
      sms_consent: false,
    },
    onValuesChange: () => setProblem(null),
  });
  const submit = useMutation({
    mutationFn: (values: SignupForm) => startSubscription(values, plan, ref),
    onError,
  });
  /** Also while the browser is on its way to the checkout: a second click must not sign up again. */
  const leaving = submit.isPending || submit.isSuccess;

  const show = (found: Problem | null): boolean => {
    setProblem(found?.message ?? null);
    form.setErrors(Object.fromEntries((found?.fields ?? []).map((field) => [field, true])));
    if (found?.fields[0]) focusField(found.fields[0]);
    return found === null;
  };
  const goTo = (next: Step) => {
    submit.reset();
    show(null);
    setStep(next);
  };

  return {
    form,
    step,
    problem,
    leaving,
    error: submit.error,
    back: () => goTo('personal info'),
    next: () => {
      if (step === 'personal info') {
        if (show(checkPersonalInfo(form.values))) goTo('preferences');
      } else if (!leaving && show(checkPreferences(form.values))) {
        submit.mutate(form.values);
      }
    },
  };
};
