import type { UseFormReturnType } from '@mantine/form';

/** For a form's refusal to submit: on to the first field that has to be mended. */
export const focusFirst =
  <Values>(form: Pick<UseFormReturnType<Values>, 'getInputNode'>) =>
  (problems: Record<string, unknown>): void =>
    form.getInputNode(Object.keys(problems)[0] ?? '')?.focus();
