import { FieldsMissing, PreferencesMissing } from '../errors.ts';

const personal = ['name', 'email', 'phone', 'password'];
const preferences = ['timezone', 'delivery_time'];

/** Reports missing or blank fields in the form's words, before the schema reports invalid ones. */
export function rejectBlankFields(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const form = body as Record<string, unknown>;
  if (personal.some((field) => isBlank(form, field))) throw new FieldsMissing();
  if (preferences.some((field) => isBlank(form, field))) throw new PreferencesMissing();
}

export function isBlank(form: Record<string, unknown>, field: string): boolean {
  const value = form[field];
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}
