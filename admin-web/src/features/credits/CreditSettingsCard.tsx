import { useAction } from '@daylift/api-client/use-action';
import type { LostDaySettings, LostDaySettingsRequest } from '@daylift/contracts/billing.http';
import { formatDays, formatMoney } from '@daylift/ui/formats';
import { Checkbox, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { SettingsSection } from '../../components/SettingsSection.tsx';
import { WholeNumberInput, wholeNumber } from '../../components/WholeNumberInput.tsx';
import { lostDaySettingsQuery } from '../../shared.queries.ts';

const Summary = ({ settings }: { settings: LostDaySettings }) => {
  const { enabled, max_days_per_month, this_month } = settings;
  const { days, others = [] } = this_month;
  const amounts = [this_month, ...others].map((one) => formatMoney(one.credit_cents, one.currency));
  return (
    <>
      <Text>
        {amounts.join(' + ')} credited this month for {formatDays(days)}.
      </Text>
      <Text>
        {enabled
          ? `Paying subscribers get credit on their next invoice for days without a text, up to ${formatDays(max_days_per_month)} a month.`
          : 'Credits are off: days without a text are charged in full.'}
      </Text>
      <Text c="dimmed">
        A day is credited three days later if we or a carrier caused the problem. Days that a
        subscriber paused, stopped or didn’t pay for don’t count.
      </Text>
    </>
  );
};

const SettingsForm = ({ settings }: { settings: LostDaySettings }) => {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      enabled: settings.enabled,
      max_days_per_month: settings.max_days_per_month as number | string,
    },
    validate: { max_days_per_month: wholeNumber(1, 31) },
  });
  const saving = useAction({
    mutationFn: (body: LostDaySettingsRequest) => call('POST /admin/settings/lost-days', { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(lostDaySettingsQuery.queryKey, saved);
      notifyDone(saved.enabled ? 'Credit settings saved.' : 'Saved. Credits are off.');
    },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={({ enabled, max_days_per_month }) =>
        saving.mutate({ enabled, max_days_per_month: Number(max_days_per_month) })
      }
      mutation={saving}
      action="update credit settings"
      submit="Save credit settings"
      width="28rem"
    >
      <Checkbox
        label="Credit days without a text"
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <WholeNumberInput
        label="Maximum days per subscriber per month"
        description="Changes apply to days that haven’t been credited yet. Credit already given stays."
        {...form.getInputProps('max_days_per_month')}
      />
    </ActionForm>
  );
};

/** The credit that subscribers get for days without a text. */
export const CreditSettingsCard = () => (
  <SettingsSection
    title="Credits"
    changedBy="owner"
    query={useQuery(lostDaySettingsQuery)}
    summary={(settings) => <Summary settings={settings} />}
    form={(settings) => <SettingsForm settings={settings} />}
  />
);
