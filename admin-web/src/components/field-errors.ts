import { ApiError } from '@daylift/api-client/request';
import { useEffect } from 'react';

/** Fields for error codes whose detail doesn't name one. */
const fieldOfCode: Record<string, string> = {
  ADDRESS_NOT_ALLOWED: 'email',
  ALERT_ADDRESS_MISSING: 'email',
  EMAIL_TAKEN: 'email',
  INVALID_PHONE: 'phone',
  COUNTRY_NOT_SERVED: 'phone',
  INVALID_NAME: 'name',
  UNKNOWN_TIME_ZONE: 'timezone',
  CURRENT_PASSWORD_WRONG: 'old_password',
  PASSWORD_WRONG: 'password',
  USERNAME_TAKEN: 'username',
  NO_SUCH_DATE: 'scheduled_date',
  DATE_IS_PAST: 'scheduled_date',
  DAY_IS_TAKEN: 'scheduled_date',
  DAY_IS_SENT: 'scheduled_date',
  TIME_IS_NIGHT: 'scheduled_time',
  UNKNOWN_PLACEHOLDER: 'content',
  CONTENT_TOO_LONG: 'content',
  KNOWN_SENDER: 'number',
  INVALID_SENDER: 'number',
  PROMOTION_CODE_TAKEN: 'code',
  PROMOTION_IN_PAST: 'expires_on',
  PROMOTION_TOO_LARGE: 'value',
  PROMOTION_TOO_SMALL: 'value',
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the request field that the server rejected and the words to show beside it, or null. */
export function readFieldError(error: unknown): { field: string; message: string } | null {
  if (!(error instanceof ApiError)) return null;
  const known = fieldOfCode[error.code];
  if (known !== undefined) return { field: known, message: error.detail };
  if (error.code !== 'INVALID_INPUT') return null;
  const field = /"([a-z_.]+)"/.exec(error.detail)?.[1];
  if (field === undefined) return null;
  const message = error.detail.startsWith('Please fill in')
    ? 'Please fill in all required fields'
    : capitalized(error.detail.replace(/^"[^"]+" (is )?/, ''));
  return { field, message };
}

interface Form {
  getValues(): object;
  setFieldError(field: string, message: string): void;
  getInputNode(field: string): HTMLElement | null;
}

/**
 * Shows a rejected field's error beside its input and focuses it. `names` maps request fields to form fields where they
 * differ. Returns the error if it belongs to no field of the form, and otherwise null.
 */
export function useFieldError(
  form: Form,
  error: Error | null,
  names: Record<string, string> = {},
): Error | null {
  const found = readFieldError(error);
  const field = found && (names[found.field] ?? found.field);
  const isShown = field !== null && field in form.getValues();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per error; typing clears it.
  useEffect(() => {
    if (!isShown || found === null) return;
    form.setFieldError(field, found.message);
    form.getInputNode(field)?.focus();
  }, [error]);
  return isShown ? null : error;
}
