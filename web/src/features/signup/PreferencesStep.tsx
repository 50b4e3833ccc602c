import { Checkbox, Input, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useCatalogue } from '../../catalogue.ts';
import { DeliveryTimeSelect } from '../../components/DeliveryTimeSelect.tsx';
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx';
import { guessZone } from '../../components/time-zones.ts';
import { paths } from '../../paths.ts';
import { unknownReferralWords, useIsKnownReferral } from './signup.queries.ts';
import type { SignupForm } from './signup-rules.ts';

/** Opens in a new tab, so the form isn't lost. */
const NewTabLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noopener">
    {children}
  </a>
);

const ConsentBox = ({ form }: { form: UseFormReturnType<SignupForm> }) => {
  const name = useCatalogue()?.product_name ?? 'this service';
  const daily = form.values.delivery_frequency === 'daily';
  return (
    <div>
      <Checkbox
        size="md"
        label={
          <>
            Yes, send me recurring motivational texts from {name},{' '}
            {daily ? 'one a day' : 'one a week'}, to the number that I gave. Msg &amp; data rates
            may apply. Reply STOP to stop, HELP for help. Consent is not a condition of any
            purchase.
          </>
        }
        {...form.getInputProps('sms_consent', { type: 'checkbox' })}
      />
      <Text mt={6} ml={36} fz="sm">
        <NewTabLink href={paths.terms}>Terms of Service</NewTabLink> and{' '}
        <NewTabLink href={paths.privacy}>Privacy Policy</NewTabLink>
      </Text>
      {form.values.sms_consent ? null : (
        <Text mt={6} ml={36} fz="sm" c="dimmed">
          If you leave this unchecked, we'll send one text asking you to reply YES before we send
          any others.
        </Text>
      )}
    </div>
  );
};

export const PreferencesStep = ({ form }: { form: UseFormReturnType<SignupForm> }) => (
  <Stack gap="lg">
    <TimeZoneSelect
      label="Timezone"
      description={
        form.values.timezone === '' && guessZone() === ''
          ? "We couldn't detect it. Please choose your own."
          : undefined
      }
      name="timezone"
      withAsterisk
      {...form.getInputProps('timezone')}
    />
    <DeliveryTimeSelect
      label="Delivery time"
      description="In your time zone"
      name="delivery_time"
      withAsterisk
      {...form.getInputProps('delivery_time')}
    />
    <Input.Wrapper label="How often" labelElement="div">
      <SegmentedControl
        fullWidth
        size="md"
        radius="md"
        aria-label="How often"
        data={[
          { value: 'daily', label: 'Daily' },
          { value: 'weekly', label: 'Weekly' },
        ]}
        {...form.getInputProps('delivery_frequency')}
      />
    </Input.Wrapper>
    <TextInput
      label="Referral code"
      description={
        useIsKnownReferral(form.values.ref) === false
          ? unknownReferralWords
          : 'Optional: from a friend who invited you'
      }
      name="ref"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={200}
      {...form.getInputProps('ref')}
    />
    <ConsentBox form={form} />
  </Stack>
);
