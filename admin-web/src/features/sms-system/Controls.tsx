import { type Action, describeError } from '@daylift/api-client/errors';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { formatCount } from '@daylift/ui/formats';
import { useAction } from '@daylift/ui/use-action';
import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { scheduler, sms } from '../../api.ts';
import { notifyDone } from '../../components/notify.ts';
import { Section } from '../../components/Section.tsx';

interface Control {
  action: Action;
  label: string;
  question: string;
  explanation: string;
  /** Does it and says what came of it. */
  run: () => Promise<string>;
}

const controls: Control[] = [
  {
    action: 'run scheduler',
    label: 'Run Scheduler',
    question: 'Run the scheduler now?',
    explanation:
      'Everything that is due by now goes to the queue at once. Nobody gets a second text for their day.',
    run: async () => {
      const { scheduled } = await scheduler.run();
      return scheduled === 0
        ? 'Nothing is due right now.'
        : `${formatCount(scheduled)} texts went to the queue.`;
    },
  },
  {
    action: 'process queue',
    label: 'Process Queue',
    question: 'Process the queue now?',
    explanation: 'Works on the queue until it is empty, for at most 20 seconds.',
    run: async () => {
      const { processed, failed, total } = await sms.processQueue();
      return `${formatCount(processed)} of ${formatCount(total)} texts processed, ${formatCount(failed)} failed.`;
    },
  },
];

export const Controls = () => {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Control | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['sms-system'] });
  const running = useAction({
    mutationFn: (control: Control) => control.run(),
    onSuccess: async (message) => {
      notifyDone(message);
      close();
      await refresh();
    },
  });
  const close = () => {
    running.reset();
    setAsked(null);
  };
  return (
    <Section
      title="Controls"
      actions={
        <>
          {controls.map((control) => (
            <Button key={control.label} onClick={() => setAsked(control)}>
              {control.label}
            </Button>
          ))}
          <Button variant="default" onClick={() => void refresh()}>
            Refresh Status
          </Button>
        </>
      }
    >
      <Text c="dimmed">
        The scheduler and the queue work by themselves; these are for when you do not want to wait.
      </Text>
      <ConfirmDialog
        opened={asked !== null}
        title={asked?.question ?? ''}
        confirmLabel={asked?.label ?? ''}
        busy={running.isPending}
        error={asked && running.isError ? describeError(asked.action, running.error) : null}
        onConfirm={() => asked && running.mutate(asked)}
        onClose={close}
      >
        <Text>{asked?.explanation}</Text>
      </ConfirmDialog>
    </Section>
  );
};
