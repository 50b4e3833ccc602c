import type { UseFormReturnType } from '@mantine/form';

/** Focuses the first invalid field when validation fails. */
export const focusFirst =
  <Values>(form: Pick<UseFormReturnType<Values>, 'getInputNode'>) =>
  (problems: Record<string, unknown>): void =>
    form.getInputNode(Object.keys(problems)[0] ?? '')?.focus();
