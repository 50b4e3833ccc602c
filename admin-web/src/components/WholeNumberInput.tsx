import { NumberInput, type NumberInputProps } from '@mantine/core';

/** Keeps a typed decimal point: without it, 20.5 would become 205. `wholeNumber` rejects it on submit. */
export const WholeNumberInput = (props: NumberInputProps) => (
  <NumberInput
    clampBehavior="none"
    allowedDecimalSeparators={['.', ',']}
    inputMode="numeric"
    hideControls
    {...props}
  />
);

/** Returns a validator for whole numbers in a range. If optional, an empty value is valid. */
export const wholeNumber =
  (min: number, max: number, { optional = false } = {}) =>
  (value: unknown): string | null => {
    if (optional && value === '') return null;
    const isValid =
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    return isValid
      ? null
      : `Enter a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  };
