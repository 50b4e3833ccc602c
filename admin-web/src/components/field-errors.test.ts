import { ApiError } from '@daylift/api-client/request';
import { expect, test } from 'vitest';
import { readFieldError } from './field-errors.ts';

const rejected = (detail: string, code = 'INVALID_INPUT') =>
  readFieldError(new ApiError(400, { detail, code, request_id: '' }));

test.each([
  ['"email" is not a valid email address.', 'email', 'Not a valid email address.'],
  ['"failure_threshold" must be at most 100.', 'failure_threshold', 'Must be at most 100.'],
  ['"title" may have at most 200 characters.', 'title', 'May have at most 200 characters.'],
  ['Please fill in "name".', 'name', 'Please fill in all required fields'],
  [
    'Please fill in all required fields. "content" is blank.',
    'content',
    'Please fill in all required fields',
  ],
])('%s appears at its field', (detail, field, message) => {
  expect(rejected(detail)).toEqual({ field, message });
});

test('a rule violation appears at its field', () => {
  const detail = 'March 7, 2027 already has a daily message. Edit or delete it first.';
  expect(rejected(detail, 'DAY_IS_TAKEN')).toEqual({ field: 'scheduled_date', message: detail });
});

test('other errors belong to no field', () => {
  expect(rejected('Sending is frozen.', 'SENDING_FROZEN')).toBeNull();
  expect(rejected('Please send a JSON object.')).toBeNull();
  expect(readFieldError(new Error('"email"'))).toBeNull();
});
