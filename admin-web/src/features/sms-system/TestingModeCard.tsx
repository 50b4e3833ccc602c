import { useAction } from '@daylift/api-client/use-action';
import type { TestingModeSettings } from '@daylift/contracts/sms-operations.http';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { readFieldError } from '../../components/field-errors.ts';
import { Section } from '../../components/Section.tsx';
import { Time } from '../../components/Time.tsx';
import { useRequestedAction } from '../../components/use-requested-action.ts';
import { useMay } from '../../session/use-admin.ts';
import { testingModeQuery } from '../../shared.queries.ts';

const Words = ({ enabled, number }: { enabled: boolean; number: string }) =>
  enabled ? (
    <Text>
      Texts will go to subscribers again. Subscribers whose text went to the test number today can
      still get one: use Send Today's Message.
    </Text>
  ) : (
    <Stack gap="xs">
      <Text>
        Until you turn it off, subscribers get no texts. All texts go to <strong>{number}</strong>,
        marked [Test], and don't count in statistics.
      </Text>
      <Text>Password codes go by email, never to the test number.</Text>
    </Stack>
  );

/** Returns what is wrong with a number that can't be one. The server checks the others. */
function problemOf(number: string): string | null {
  if (number === '') return 'Enter a test phone number';
  return number.replaceAll(/\D/g, '').length < 7 ? 'Enter the whole number' : null;
}

const Switch = ({ settings }: { settings: TestingModeSettings }) => {
  const may = useMay('operator');
  const queryClient = useQueryClient();
  const { testing_mode_enabled: enabled, test_phone_number } = settings;
  const [typed, setTyped] = useState<string | null>(null);
  const [confirming, setConfirming] = useState(false);
  const number = (typed ?? test_phone_number ?? '').trim();
  const [problem, setProblem] = useState<string | null>(null);
  const saving = useAction({
    mutationFn: (test_phone: string) =>
      call('POST /admin/settings/testing-mode', {
        body: enabled ? { enabled: false } : { enabled: true, test_phone },
      }),
    onSuccess: (saved) => void queryClient.setQueryData(testingModeQuery.queryKey, saved),
  });
  const field = useRef<HTMLInputElement>(null);
  const rejected = readFieldError(saving.error)?.message ?? null;
  useEffect(() => {
    if (rejected === null) return;
    setConfirming(false);
    field.current?.focus();
  }, [rejected]);
  const change = (value: string) => {
    setTyped(value);
    setProblem(null);
    saving.reset();
  };
  const openDialog = () => {
    saving.reset();
    const found = enabled ? null : problemOf(number);
    setProblem(found);
    if (found === null) setConfirming(true);
    else field.current?.focus();
  };
  useRequestedAction({
    'testing-mode': () => (enabled ? setConfirming(true) : field.current?.focus()),
  });
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Badge tone={enabled ? 'yellow' : 'grey'}>{enabled ? 'On' : 'Off'}</Badge>
        {settings.enabled_at ? (
          <Text fz="sm" c="dimmed">
            since <Time at={settings.enabled_at} />, by {settings.enabled_by}
          </Text>
        ) : null}
      </Group>
      <Text>
        {enabled
          ? `All texts go to ${test_phone_number} instead of subscribers.`
          : 'Sends all texts to a test number instead of subscribers.'}
      </Text>
      {enabled || !may ? null : (
        <TextInput
          ref={field}
          label="Test phone number"
          type="tel"
          placeholder="+1234567890"
          autoComplete="tel"
          maxLength={32}
          value={typed ?? test_phone_number ?? ''}
          onChange={(event) => change(event.currentTarget.value)}
          error={problem ?? rejected}
        />
      )}
      {may ? (
        <Button
          variant={enabled ? 'filled' : 'default'}
          onClick={openDialog}
          style={{ alignSelf: 'flex-start' }}
        >
          {enabled ? 'Turn off testing mode' : 'Turn on testing mode'}
        </Button>
      ) : (
        <Text c="dimmed">Only operators can change this.</Text>
      )}
      <ActionDialog
        opened={confirming && rejected === null}
        returnFocus={rejected === null}
        input={number}
        mutation={saving}
        action="update testing mode"
        done={(saved) =>
          saved.testing_mode_enabled ? 'Testing mode is on.' : 'Testing mode is off.'
        }
        title={enabled ? 'Turn off testing mode?' : 'Turn on testing mode?'}
        confirmLabel={enabled ? 'Turn off' : 'Turn on'}
        onClose={() => setConfirming(false)}
      >
        <Words enabled={enabled} number={number} />
      </ActionDialog>
    </Stack>
  );
};

export const TestingModeCard = () => {
  const query = useQuery(testingModeQuery);
  return (
    <Section title="Testing Mode">
      <QueryView query={query} lines={3}>
        {(data) => <Switch settings={data} />}
      </QueryView>
    </Section>
  );
};
