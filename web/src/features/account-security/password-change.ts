import { passwordTooShort } from '../../components/password-rules.ts';

export interface PasswordChange {
  current: string;
  next: string;
  confirm: string;
}

/** What stands in the way of asking for it, as far as a page can tell. */
export const problemOf = ({ current, next, confirm }: PasswordChange): string | null => {
  if (current === '' || next === '' || confirm === '') return 'Please fill in all required fields';
  if (next !== confirm) return 'New passwords do not match';
  return passwordTooShort(next);
};
