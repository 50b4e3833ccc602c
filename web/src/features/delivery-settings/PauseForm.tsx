import type { Me } from '@daylift/contracts/accounts.http';
import { formatLocalDate } from '@daylift/ui/formats';
import { Button, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { announce, announceFailure } from '../../components/announce.ts';
import { FormActions } from '../../components/FormActions.tsx';
import { focusWhenShown } from '../../components/use-focus-back.ts';
import { useToday } from '../../session/today.ts';
import { useUpdateMe } from '../../session/update-me.ts';
import { NextTextPreview } from './NextTextPreview.tsx';

const dayAfter = (date: string): string => {
  const next = new Date(`${date}T12:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
};

const isDate = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Asks for the first day on which texts resume. */
export const PauseForm = ({ user, onClose }: { user: Me; onClose: () => void }) => {
  const [until, setUntil] = useState('');
  const update = useUpdateMe(({ paused_until }) =>
    announce(`Your texts are paused until ${formatLocalDate(paused_until ?? until)}.`, 'good'),
  );
  const earliest = dayAfter(useToday(user.timezone));
  const [problem, setProblem] = useState<string | null>(null);
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isDate(until) || until < earliest) {
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
          description="Your texts resume on that day."
          min={earliest}
          required
          withAsterisk={false}
          value={until}
          error={problem}
          onChange={(event) => {
            setUntil(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <NextTextPreview
          change={isDate(until) && until >= earliest ? { paused_until: until } : {}}
          timeZone={user.timezone}
        />
        <FormActions>
          <Button variant="default" onClick={onClose}>
            Keep My Texts
          </Button>
          <Button type="submit" loading={update.isPending}>
            Pause Texts
          </Button>
        </FormActions>
      </Stack>
    </form>
  );
};
