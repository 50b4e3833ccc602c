const minLength = 12;

export const passwordProblem = (value: string): string | null =>
  value.length < minLength ? `Use at least ${minLength} characters` : null;

export const confirmProblem = (value: string, next: string): string | null =>
  value === next ? null : 'Passwords do not match';
