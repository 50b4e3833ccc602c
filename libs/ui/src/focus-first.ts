/** Focuses a field and scrolls it to the middle, where its label and its error are visible on a phone too. */
export const focusField = (field: HTMLElement | null | undefined): void => {
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center', behavior: 'instant' });
};

export const focusFirst =
  (form: { getInputNode(path: string): HTMLElement | null }) =>
  (problems: Record<string, unknown>): void =>
    focusField(form.getInputNode(Object.keys(problems)[0] ?? ''));
