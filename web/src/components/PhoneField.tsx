import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import classes from './PhoneField.module.css';
import { countryOfNumber, toE164, withoutCallingCode } from './phone-numbers.ts';
import { usePhoneCountries } from './use-phone-countries.ts';

const nameOf = (country: string): string =>
  new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;

/** Accepts a number as people in its country write it. Its value is international. */
export const PhoneField = ({
  value = '',
  onChange,
  ...props
}: Omit<TextInputProps, 'onChange' | 'value'> & {
  value?: string;
  onChange?: (number: string) => void;
}) => {
  const { countries, guess } = usePhoneCountries();
  const [typed, setTyped] = useState(value);
  const [picked, setPicked] = useState('');
  const country = countryOfNumber(value, countries, picked || guess);
  const ruleOf = (code: string) => countries.find((one) => one.country === code);
  const shown = toE164(typed, ruleOf(country)) === value ? typed : value;
  return (
    <div className={classes.field}>
      {countries.length > 1 ? (
        <NativeSelect
          label="Country"
          autoComplete="country"
          data={countries.map((one) => ({
            value: one.country,
            label: `${nameOf(one.country)} (+${one.calling_code})`,
          }))}
          value={country}
          onChange={({ currentTarget }) => {
            const national = withoutCallingCode(shown, ruleOf(country));
            setPicked(currentTarget.value);
            setTyped(national);
            onChange?.(toE164(national, ruleOf(currentTarget.value)));
          }}
        />
      ) : null}
      <TextInput
        type="tel"
        autoComplete="tel"
        maxLength={32}
        value={shown}
        onChange={({ currentTarget }) => {
          setPicked(country);
          setTyped(currentTarget.value);
          onChange?.(toE164(currentTarget.value, ruleOf(country)));
        }}
        {...props}
      />
    </div>
  );
};
