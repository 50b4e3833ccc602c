import { passwordTooShort } from '../../components/password-rules.ts';

export interface PasswordChange {
  current: string;
  next: string;
  confirm: string;
}

interface Problem {
  message: string;
  /** Invalid fields, in order. */
  fields: (keyof PasswordChange)[];
}

export const problemOf = (change: PasswordChange): Problem | null => {
  const empty = (['current', 'next', 'confirm'] as const).filter((field) => change[field] === '');
  if (empty.length > 0) return { message: 'Please fill in all required fields', fields: empty };
  if (change.next !== change.confirm)
    return { message: 'New passwords do not match', fields: ['confirm'] };
  const tooShort = passwordTooShort(change.next);
  return tooShort === null ? null : { message: tooShort, fields: ['next'] };
};
