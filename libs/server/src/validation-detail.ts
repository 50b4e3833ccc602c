import type { FastifySchemaValidationError } from 'fastify';

export function validationDetail(errors: FastifySchemaValidationError[], context: string): string {
  const error = errors.at(-1);
  if (error === undefined) return 'The request is invalid.';
  const params = error.params as Record<string, unknown>;
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  switch (error.keyword) {
    case 'required':
      return `Please fill in "${[field, String(params.missingProperty)].filter(Boolean).join('.')}".`;
    case 'additionalProperties':
      return `"${String(params.additionalProperty)}" is not a field of this ${context}. Please remove it.`;
    case 'minProperties':
      return 'Please send at least one field to change.';
    case 'type':
      return field === ''
        ? `Please send a JSON ${String(params.type)}.`
        : `"${field}" must be of type ${String(params.type)}.`;
    default:
      return fieldDetail(field === '' ? context : field, error, params, errors);
  }
}

function fieldDetail(
  field: string,
  error: FastifySchemaValidationError,
  params: Record<string, unknown>,
  errors: FastifySchemaValidationError[],
): string {
  switch (error.keyword) {
    case 'anyOf': {
      // For fields that may be null or empty, the format error is more helpful than "must be null".
      const rule = errors.find((one) => one.keyword === 'format');
      if (rule !== undefined)
        return fieldDetail(field, rule, rule.params as Record<string, unknown>, errors);
      const allowed = errors
        .filter((one) => one.keyword === 'const')
        .map((one) => String((one.params as { allowedValue: unknown }).allowedValue));
      return allowed.length > 0
        ? `"${field}" must be one of: ${allowed.join(', ')}.`
        : `"${field}" is not valid.`;
    }
    case 'minLength':
      if (/^(new_)?password$/.test(field))
        return `Password must be at least ${String(params.limit)} characters long`;
      return params.limit === 1
        ? `Please fill in "${field}".`
        : `"${field}" must have at least ${String(params.limit)} characters.`;
    case 'maxLength':
      return `"${field}" may have at most ${String(params.limit)} characters.`;
    case 'format':
      return `"${field}" is not a valid ${formatNames[String(params.format)] ?? String(params.format)}.`;
    case 'pattern':
      return patternDetail(field);
    case 'minimum':
    case 'maximum':
      return `"${field}" must be ${error.keyword === 'minimum' ? 'at least' : 'at most'} ${String(params.limit)}.`;
    default:
      return `"${field}" is not valid.`;
  }
}

const formatNames: Record<string, string> = {
  email: 'email address',
  uuid: 'id',
  date: 'date (YYYY-MM-DD)',
  'date-time': 'instant (ISO 8601)',
};

const patternDetails: Record<string, string> = {
  delivery_time: '"delivery_time" must be a full hour from 00:00 to 23:00, such as 09:00.',
  scheduled_time: '"scheduled_time" must be a time of day such as 08:00.',
  scheduled_date: '"scheduled_date" must start with a date such as 2027-03-07.',
  session_id: 'This is not a checkout session ID.',
};

function patternDetail(field: string): string {
  return patternDetails[field] ?? `"${field}" does not have the expected form, or is blank.`;
}
