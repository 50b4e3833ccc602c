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
import type { PageAction } from '../../components/use-asked.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../session/use-admin.ts';
import { freezeQuery, testingModeQuery } from '../../shared.queries.ts';
import type { Result } from './result.ts';

export type Action = Omit<Result, 'key' | 'detail'> & { asked: PageAction; synonyms: string };

/** Returns what the signed-in admin may start. Each opens a form or dialog; nothing happens without it. */
export function useActions(): Action[] {
  const may = useMay('operator');
  const { pathname, search } = useLocation();
  const frozen = useQuery(freezeQuery).data?.frozen;
  const testing = useQuery(testingModeQuery).data?.testing_mode_enabled;
  if (!may) return [];
  const here = `${pathname}${search}`;
  const freeze: Action = {
    asked: 'freeze',
    label: 'Freeze sending',
    path: here,
    Icon: IconSnowflake,
    synonyms: 'pause stop emergency halt hold',
  };
  const resume: Action = {
    asked: 'resume',
    label: 'Resume sending',
    path: here,
    Icon: IconPlayerPlay,
    synonyms: 'unfreeze continue start freeze',
  };
  return [
    ...(frozen === undefined ? [] : [frozen ? resume : freeze]),
    {
      asked: 'add-subscriber',
      label: 'Add subscriber',
      path: paths.subscribers,
      Icon: IconUserPlus,
      synonyms: 'new create user',
    },
    {
      asked: 'schedule-message',
      label: 'Schedule message',
      path: paths.messages,
      Icon: IconMessagePlus,
      synonyms: 'new create add write text',
    },
    {
      asked: 'import-messages',
      label: 'Import messages',
      path: paths.messages,
      Icon: IconFileUpload,
      synonyms: 'csv upload',
    },
    {
      asked: 'send-todays-message',
      label: "Send today's message",
      path: paths.messages,
      Icon: IconSend,
      synonyms: 'now text todays',
    },
    {
      asked: 'testing-mode',
      label: testing === undefined ? 'Testing mode' : `Turn ${testing ? 'off' : 'on'} testing mode`,
      path: paths.testingMode,
      Icon: IconTestPipe,
      synonyms: 'test enable disable',
    },
    {
      asked: 'run-scheduler',
      label: 'Run scheduler',
      path: paths.smsSystem,
      Icon: IconClockPlay,
      synonyms: 'now',
    },
    {
      asked: 'process-queue',
      label: 'Process queue',
      path: paths.smsSystem,
      Icon: IconClockPlay,
      synonyms: 'now send',
    },
  ];
}
