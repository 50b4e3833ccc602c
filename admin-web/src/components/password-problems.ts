const shortest = 12;

export const passwordProblem = (value: string): string | null =>
  value.length < shortest ? `Use at least ${shortest} characters` : null;

export const confirmProblem = (value: string, next: string): string | null =>
  value === next ? null : 'Passwords do not match';
