/** A field for the code of an app, which keyboards and password managers know. */
export const codeField = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 40,
} as const;

export const codeProblem = (value: string): string | null =>
  value.trim() === '' ? 'Please enter the code' : null;
