/** Attributes of a one-time code field, for keyboards and password managers. */
export const codeField = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 40,
} as const;

export const codeProblem = (value: string): string | null =>
  value.trim() === '' ? 'Enter the code' : null;
