import {
  IconClockPlay,
  IconFileUpload,
  IconMessagePlus,
  IconPlayerPlay,
  IconSend,
  IconSnowflake,
  IconTestPipe,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { PageAction } from '../../components/use-requested-action.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';
import { freezeQuery, testingModeQuery } from '../../shared.queries.ts';
import type { Result } from './result.ts';

export type Action = Omit<Result, 'key' | 'detail'> & { action: PageAction; synonyms: string };

/** Returns what the signed-in admin may start. Each opens a form or dialog; nothing happens without it. */
export function useActions(): Action[] {
  const may = useMay('operator');
  const { pathname, search } = useLocation();
  const frozen = useQuery(freezeQuery).data?.frozen;
  const testing = useQuery(testingModeQuery).data?.testing_mode_enabled;
  if (!may) return [];
  const currentPath = `${pathname}${search}`;
  const freeze: Action = {
    action: 'freeze',
    label: 'Freeze sending',
    path: currentPath,
    Icon: IconSnowflake,
    synonyms: 'pause stop emergency halt hold',
  };
  const resume: Action = {
    action: 'resume',
    label: 'Resume sending',
    path: currentPath,
    Icon: IconPlayerPlay,
    synonyms: 'unfreeze continue start freeze',
  };
  return [
    ...(frozen === undefined ? [] : [frozen ? resume : freeze]),
    {
      action: 'add-subscriber',
      label: 'Add subscriber',
      path: paths.subscribers,
      Icon: IconUserPlus,
      synonyms: 'new create user',
    },
    {
      action: 'schedule-message',
      label: 'Schedule message',
      path: paths.messages,
      Icon: IconMessagePlus,
      synonyms: 'new create add write text',
    },
    {
      action: 'import-messages',
      label: 'Import messages',
      path: paths.messages,
      Icon: IconFileUpload,
      synonyms: 'csv upload',
    },
    {
      action: 'send-todays-message',
      label: "Send today's message",
      path: paths.messages,
      Icon: IconSend,
      synonyms: 'now text todays',
    },
    {
      action: 'testing-mode',
      label: testing === undefined ? 'Testing mode' : `Turn ${testing ? 'off' : 'on'} testing mode`,
      path: paths.testingMode,
      Icon: IconTestPipe,
      synonyms: 'test enable disable',
    },
    {
      action: 'run-scheduler',
      label: 'Run scheduler',
      path: paths.smsSystem,
      Icon: IconClockPlay,
      synonyms: 'now',
    },
    {
      action: 'process-queue',
      label: 'Process queue',
      path: paths.smsSystem,
      Icon: IconClockPlay,
      synonyms: 'now send',
    },
  ];
}
