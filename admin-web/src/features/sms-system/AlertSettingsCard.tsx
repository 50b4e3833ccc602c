import { useAction } from '@daylift/api-client/use-action';
import type { AlertSettings, AlertSettingsRequest } from '@daylift/contracts/sms-operations.http';
import { Checkbox, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { SettingsSection } from '../../components/SettingsSection.tsx';
import { WholeNumberInput, wholeNumber } from '../../components/WholeNumberInput.tsx';
import { alertSettingsQuery } from '../../shared.queries.ts';

const Summary = ({ settings }: { settings: AlertSettings }) => (
  <Text>
    {settings.enabled
      ? `${settings.alert_email} gets an email when more than ${settings.failure_threshold_percent}% of texts fail in a batch or an hour.`
      : 'Failure alerts are off.'}
  </Text>
);

const SettingsForm = ({ settings }: { settings: AlertSettings }) => {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      email: settings.alert_email,
      failure_threshold: settings.failure_threshold_percent as number | string,
      // Entering an address turns alerts on, unless they were turned off before.
      wanted: settings.enabled || settings.alert_email === '',
    },
    validate: { failure_threshold: wholeNumber(1, 100) },
  });
  const hasAddress = form.values.email.trim() !== '';
  const saving = useAction({
    mutationFn: (body: AlertSettingsRequest) => call('POST /admin/settings/alert-email', { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(alertSettingsQuery.queryKey, saved);
      notifyDone(saved.enabled ? 'Alert settings saved.' : 'Saved. Alerts are off.');
    },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={({ email, failure_threshold, wanted }) =>
        saving.mutate({
          email: email.trim(),
          failure_threshold: Number(failure_threshold),
          enabled: wanted && email.trim() !== '',
        })
      }
      mutation={saving}
      action="update alert settings"
      submit="Save alert settings"
    >
      <TextInput
        label="Alert email"
        type="email"
        autoComplete="email"
        description="Leave empty to turn off alerts."
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <WholeNumberInput
        label="Failure threshold (%)"
        description="Checked for batches or hours with at least 20 texts. At most one email per hour."
        {...form.getInputProps('failure_threshold')}
      />
      <Checkbox
        label="Send alerts"
        {...form.getInputProps('wanted', { type: 'checkbox' })}
        disabled={!hasAddress}
        checked={hasAddress && form.values.wanted}
      />
    </ActionForm>
  );
};

export const AlertSettingsCard = () => (
  <SettingsSection
    title="Alert Settings"
    changedBy="operator"
    query={useQuery(alertSettingsQuery)}
    summary={(settings) => <Summary settings={settings} />}
    form={(settings) => <SettingsForm settings={settings} />}
  />
);
