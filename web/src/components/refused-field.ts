import { ApiError } from '@daylift/api-client/request';

const fields = {
  INVALID_NAME: 'name',
  INVALID_PHONE: 'phone',
  COUNTRY_NOT_SERVED: 'phone',
  ADDRESS_NOT_ALLOWED: 'email',
  CURRENT_PASSWORD_WRONG: 'current_password',
} as const;
type RefusedField = (typeof fields)[keyof typeof fields];

/** Returns the field the server's error is about, if any. */
export const refusedField = (error: unknown): RefusedField | undefined =>
  error instanceof ApiError ? fields[error.code as keyof typeof fields] : undefined;
