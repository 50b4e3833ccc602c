import { useAction } from '@daylift/api-client/use-action';
import { type Currency, defaultCurrency, type GiftLength } from '@daylift/contracts/plans';
import { focusFirst } from '@daylift/ui/focus-first';
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { looksLikeEmail } from '../../components/email-address.ts';
import { leaveFor, useFreshOnReturn } from '../../components/leaving.ts';
import { useVisitorCatalogue } from '../../components/use-phone-countries.ts';
import { GiftLengthPicker, giftPrice } from './GiftLengthPicker.tsx';
import classes from './GiftPage.module.css';

interface Values {
  months: GiftLength;
  buyer_name: string;
  buyer_email: string;
  gift_message: string;
}

const required = isNotEmpty('Please fill in all required fields');

/** Opens the payment page. */
const openCheckout = async ({
  currency,
  values: { months, buyer_name, buyer_email, gift_message },
}: {
  currency: Currency;
  values: Values;
}) => {
  const message = gift_message.trim();
  const { url } = await call('POST /gifts/checkout', {
    body: {
      months,
      buyer_name: buyer_name.trim(),
      buyer_email: buyer_email.trim(),
      ...(message && { gift_message: message }),
      ...(currency !== defaultCurrency && { currency }),
      origin_url: window.location.origin,
    },
  });
  leaveFor(url);
};

export const GiftForm = () => {
  const form = useForm<Values>({
    initialValues: { months: 3, buyer_name: '', buyer_email: '', gift_message: '' },
    validate: {
      buyer_name: required,
      buyer_email: (text) =>
        required(text) ?? (looksLikeEmail(text) ? null : 'Please enter a valid email address'),
    },
  });
  const buy = useAction({ mutationFn: openCheckout });
  const catalogue = useVisitorCatalogue();
  const currency = catalogue?.currency ?? defaultCurrency;
  const addsTax = catalogue?.plus_tax;
  useFreshOnReturn();
  return (
    <form
      className={classes.card}
      method="post"
      noValidate
      onSubmit={form.onSubmit((values) => buy.mutate({ currency, values }), focusFirst(form))}
    >
      <Stack gap="md">
        <GiftLengthPicker
          months={form.values.months}
          catalogue={catalogue}
          onChoose={(months) => form.setFieldValue('months', months)}
        />
        <TextInput
          label="Your name"
          description="Shown to the recipient"
          name="buyer_name"
          autoComplete="name"
          maxLength={100}
          required
          {...form.getInputProps('buyer_name')}
        />
        <TextInput
          label="Your email"
          description="We send the receipt and the gift link here"
          name="buyer_email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...form.getInputProps('buyer_email')}
        />
        <Textarea
          label="Message"
          description="Optional. Shown to the recipient with your name"
          name="gift_message"
          rows={3}
          maxLength={300}
          {...form.getInputProps('gift_message')}
        />
        <ActionFailure action="buy gift" error={buy.error} />
        <Button
          type="submit"
          color="dawn"
          className={classes.send}
          loading={buy.isPending || buy.isSuccess}
        >
          {catalogue && !addsTax
            ? `Continue and Pay ${giftPrice(catalogue, form.values.months)}`
            : 'Continue to Payment'}
        </Button>
        <Text c="dimmed" size="sm">
          Next, you'll pay on our payment provider's secure page
          {addsTax ? ', where tax is added' : ''}. It's one payment, and nothing renews.
        </Text>
      </Stack>
    </form>
  );
};
