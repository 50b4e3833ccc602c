import { formatHour, fullHours } from '@daylift/ui/formats';
import { NativeSelect, TextInput } from '@mantine/core';
import { isNotEmpty } from '@mantine/form';
import { useMemo } from 'react';
import { zoneChoices } from './time-zones.ts';

const required = isNotEmpty('Please fill in all required fields');
/** The server explains what is wrong with longer ones. */
const minDigits = 3;
export const contactRules = {
  name: required,
  email: required,
  phone: (phone: string) =>
    required(phone) ??
    (phone.replaceAll(/\D/g, '').length < minDigits
      ? 'Enter a phone number with its country code'
      : null),
};

const hours = fullHours.map((value) => ({ value, label: formatHour(value) }));

/** The part of a form that these fields use. */
interface FormOf<Field extends string> {
  getInputProps: (field: Field) => object;
}

export const ContactFields = ({
  form,
  descriptions,
}: {
  form: FormOf<'name' | 'email' | 'phone'>;
  descriptions?: { email: string; phone: string };
}) => (
  <>
    <TextInput
      label="Name"
      data-autofocus
      withAsterisk
      maxLength={100}
      autoComplete="off"
      {...form.getInputProps('name')}
    />
    <TextInput
      type="email"
      label="Email"
      description={descriptions?.email}
      withAsterisk
      maxLength={254}
      autoComplete="off"
      {...form.getInputProps('email')}
    />
    <TextInput
      type="tel"
      label="Phone"
      description={descriptions?.phone}
      placeholder="+1234567890"
      withAsterisk
      maxLength={32}
      autoComplete="off"
      {...form.getInputProps('phone')}
    />
  </>
);

export const DeliveryFields = ({ form }: { form: FormOf<'timezone' | 'delivery_time'> }) => (
  <>
    <NativeSelect
      label="Timezone"
      data={useMemo(zoneChoices, [])}
      {...form.getInputProps('timezone')}
    />
    <NativeSelect label="Delivery time" data={hours} {...form.getInputProps('delivery_time')} />
  </>
);
