/** Password rules of the pages. Strength is only a hint. */
const minimumLength = 6;

export const passwordTooShort = (password: string): string | null =>
  password.length < minimumLength ? 'Password must be at least 6 characters long' : null;

export type PasswordStrength = 'Too short' | 'Weak' | 'Fair' | 'Strong';

/** Scores mostly by length, and a little by character variety. */
export const passwordStrength = (password: string): PasswordStrength => {
  if (password.length < minimumLength) return 'Too short';
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password));
  const distinct = new Set(password).size;
  const score = Math.min(password.length, distinct * 2) + 2 * (kinds.length - 1);
  if (score < 10) return 'Weak';
  return score < 15 ? 'Fair' : 'Strong';
};
