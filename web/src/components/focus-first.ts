import type { UseFormReturnType } from '@mantine/form';

export const focusFirst =
  <Values>(form: Pick<UseFormReturnType<Values>, 'getInputNode'>) =>
  (problems: Record<string, unknown>): void =>
    form.getInputNode(Object.keys(problems)[0] ?? '')?.focus();
