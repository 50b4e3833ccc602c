import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { PublicCatalogue } from '@daylift/contracts/billing.http';
import {
  type Currency,
  defaultCurrency,
  type PlanId,
  planIds,
  planTerms,
} from '@daylift/contracts/plans';
import type { CreatePromotionRequest } from '@daylift/contracts/promotions.http';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useCatalogue } from '../../catalogue.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { createRequestKeys } from '../../components/request-key.ts';

interface Values extends Record<string, unknown> {
  code: string;
  kind: CreatePromotionRequest['kind'];
  value: string;
  currency: Currency;
  lasts: 'first' | 'months' | 'every';
  months: string;
  plan: 'any' | PlanId;
  max_uses: string;
  expires_on: string;
  first_time_only: boolean;
}

const empty: Values = {
  code: '',
  kind: 'percent',
  value: '',
  currency: defaultCurrency,
  lasts: 'first',
  months: '',
  plan: 'any',
  max_uses: '',
  expires_on: '',
  first_time_only: true,
};

const valueLabels = { percent: 'Percent off', amount: 'Amount off', free_days: 'Free days' };
/** As billing checks them. */
const maxValues = { percent: 100, free_days: 700 };
const isWhole = (text: string) => /^[1-9]\d{0,6}$/.test(text.trim());

const valueError = (value: string, { kind }: Values): string | null => {
  if (kind === 'amount')
    return /^\d{1,4}(\.\d{1,2})?$/.test(value.trim()) && Number(value) > 0
      ? null
      : 'Enter an amount, such as 2.50';
  if (!isWhole(value)) return 'Enter a whole number';
  return Number(value) > maxValues[kind] ? `Enter ${maxValues[kind]} or less` : null;
};

const validate = {
  code: (code: string) =>
    /^[A-Za-z0-9][A-Za-z0-9-]{2,29}$/.test(code.trim())
      ? null
      : 'Use 3 to 30 letters, digits or hyphens',
  value: valueError,
  months: (months: string, { lasts, kind }: Values) =>
    lasts !== 'months' || kind === 'free_days' || (isWhole(months) && Number(months) <= 36)
      ? null
      : 'Enter 1 to 36 months',
  max_uses: (uses: string) => (uses.trim() === '' || isWhole(uses) ? null : 'Enter a whole number'),
};

const monthsOf = ({ kind, lasts, months }: Values): number | null => {
  if (kind === 'free_days' || lasts === 'every') return null;
  return lasts === 'first' ? 1 : Number(months);
};

const requestOf = (values: Values): Omit<CreatePromotionRequest, 'request_key'> => ({
  code: values.code.trim().toUpperCase(),
  kind: values.kind,
  value: Math.round(Number(values.value) * (values.kind === 'amount' ? 100 : 1)),
  // The previous version of billing rejects the field, and knows only the default currency.
  ...(values.kind === 'amount' &&
    values.currency !== defaultCurrency && { currency: values.currency }),
  months: monthsOf(values),
  plan: values.plan === 'any' ? null : values.plan,
  max_uses: values.max_uses.trim() === '' ? null : Number(values.max_uses),
  expires_on: values.expires_on || null,
  first_time_only: values.kind === 'free_days' || values.first_time_only,
});

const currenciesIn = (countries: PublicCatalogue['countries']): Currency[] =>
  countries.flatMap(({ currency }) => (currency ? [currency] : []));

export const PromotionForm = () => {
  const refresh = useRefresh('promotions');
  const [keyFor] = useState(createRequestKeys);
  const form = useForm<Values>({ initialValues: empty, validate });
  const create = useAction({
    mutationFn: (values: Values) => {
      const body = requestOf(values);
      const request_key = keyFor(JSON.stringify(body));
      return call('POST /admin/promotions', { body: { ...body, request_key } });
    },
    onSuccess: async ({ code }) => {
      form.reset();
      notifyDone(`${code} created.`);
      await refresh();
    },
  });
  const { kind, lasts } = form.values;
  const isDiscount = kind !== 'free_days';
  const sold = new Set([defaultCurrency, ...currenciesIn(useCatalogue()?.countries ?? [])]);
  return (
    <ActionForm
      form={form}
      onSubmit={(values) => create.mutate(values)}
      mutation={create}
      action="create promotion"
      submit="Create Code"
      width="32rem"
    >
      <TextInput
        label="Code"
        description="What people type, and what the link contains"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={30}
        {...form.getInputProps('code')}
      />
      <NativeSelect
        label="Gives"
        data={[
          { value: 'percent', label: 'A percentage off' },
          { value: 'amount', label: 'An amount off' },
          { value: 'free_days', label: 'A longer free trial' },
        ]}
        {...form.getInputProps('kind')}
      />
      <TextInput
        label={valueLabels[kind]}
        inputMode="decimal"
        autoComplete="off"
        maxLength={7}
        {...form.getInputProps('value')}
      />
      {kind === 'amount' && sold.size > 1 ? (
        <NativeSelect
          label="Currency"
          description="The code works only for subscribers who pay in this currency"
          data={[...sold].map((value) => ({ value, label: value.toUpperCase() }))}
          {...form.getInputProps('currency')}
        />
      ) : null}
      {isDiscount ? (
        <NativeSelect
          label="Applies to"
          data={[
            { value: 'first', label: 'The first payment' },
            { value: 'months', label: 'Payments in the first months' },
            { value: 'every', label: 'Every payment' },
          ]}
          {...form.getInputProps('lasts')}
        />
      ) : null}
      {isDiscount && lasts === 'months' ? (
        <TextInput
          label="Months"
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          {...form.getInputProps('months')}
        />
      ) : null}
      <NativeSelect
        label="Plan"
        data={[
          { value: 'any', label: 'Any plan' },
          ...planIds.map((id) => ({ value: id, label: planTerms[id].name })),
        ]}
        {...form.getInputProps('plan')}
      />
      <TextInput
        label="Maximum uses"
        description="Leave empty for no limit"
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        {...form.getInputProps('max_uses')}
      />
      <TextInput
        label="Last day"
        description="Leave empty for no end"
        type="date"
        {...form.getInputProps('expires_on')}
      />
      {isDiscount ? (
        <Checkbox
          label="Only for new subscribers"
          {...form.getInputProps('first_time_only', { type: 'checkbox' })}
        />
      ) : null}
    </ActionForm>
  );
};
