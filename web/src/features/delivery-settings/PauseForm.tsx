import type { Me } from '@daylift/contracts/accounts.http';
import { formatLocalDate } from '@daylift/ui/formats';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { announce, announceFailure } from '../../components/announce.ts';
import { FormActions } from '../../components/FormActions.tsx';
import { focusWhenShown } from '../../components/use-focus-back.ts';
import { useToday } from '../../session/today.ts';
import { useUpdateMe } from '../../session/update-me.ts';
import { NextTextPreview } from './NextTextPreview.tsx';

const daysAfter = (date: string, days: number): string => {
  const later = new Date(`${date}T12:00:00Z`);
  later.setUTCDate(later.getUTCDate() + days);
  return later.toISOString().slice(0, 10);
};

const presets = [
  { label: '1 Week', days: 7 },
  { label: '2 Weeks', days: 14 },
  { label: '30 Days', days: 30 },
];
const maxDays = 365;

const isDate = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Asks for the first day on which texts resume. */
export const PauseForm = ({ user, onClose }: { user: Me; onClose: () => void }) => {
  const [until, setUntil] = useState('');
  const update = useUpdateMe(({ paused_until }) =>
    announce(`Your texts are paused until ${formatLocalDate(paused_until ?? until)}.`, 'good'),
  );
  const today = useToday(user.timezone);
  const earliest = daysAfter(today, 1);
  const latest = daysAfter(today, maxDays);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = (date: string) => {
    setUntil(date);
    setProblem(null);
  };
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isDate(until) || until < earliest || until > latest) {
      setProblem('Please choose a date from tomorrow up to a year ahead.');
      return;
    }
    update.mutate(
      { paused_until: until },
      {
        onSuccess: onClose,
        onError: (error) => announceFailure('update profile', error),
      },
    );
  };
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md" py="md">
        <TextInput
          ref={focusWhenShown}
          type="date"
          label="Pause until"
          description={`Your texts resume on that day. Latest: ${formatLocalDate(latest)}.`}
          min={earliest}
          max={latest}
          required
          withAsterisk={false}
          value={until}
          error={problem}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <Group gap="xs" role="group" aria-label="Pause for">
          {presets.map(({ label, days }) => (
            <Button key={days} variant="default" onClick={() => choose(daysAfter(today, days))}>
              {label}
            </Button>
          ))}
        </Group>
        <NextTextPreview
          change={
            isDate(until) && until >= earliest && until <= latest ? { paused_until: until } : {}
          }
          timeZone={user.timezone}
        />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            Keep My Texts
          </Button>
          <Button type="submit" color="dawn" loading={update.isPending}>
            Pause Texts
          </Button>
        </FormActions>
      </Stack>
    </form>
  );
};
