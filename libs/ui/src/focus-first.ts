export const focusFirst =
  (form: { getInputNode(path: string): HTMLElement | null }) =>
  (problems: Record<string, unknown>): void =>
    form.getInputNode(Object.keys(problems)[0] ?? '')?.focus();
