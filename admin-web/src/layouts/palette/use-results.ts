import { formatLocalDate } from '@daylift/ui/formats';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMessage, IconUser, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { pages } from '../../pages.tsx';
import { paths } from '../../paths.ts';
import { useMayOpen } from '../use-may-open.ts';
import type { Result } from './result.ts';
import { useActions } from './use-actions.ts';

const minCharacters = 2;
const maxResults = 5;

const peopleQuery = (search: string) =>
  apiQuery(['subscribers', 'palette', search], 'GET /admin/users', {
    query: { search, limit: maxResults, offset: 0 },
  });
const messagesQuery = (search: string) =>
  apiQuery(['scheduled-messages', 'palette', search], 'GET /admin/scheduled-messages', {
    query: { search, limit: maxResults, offset: 0 },
  });

const accountPage: Result = {
  key: paths.account,
  Icon: IconUserCircle,
  label: 'Account',
  detail: '',
  path: paths.account,
};

/** Search terms for pages, besides their names. */
const synonyms: Record<string, string> = {
  [paths.account]: 'password two-step 2fa sign-in',
  [paths.batches]: 'held',
  [paths.failedEvents]: 'replay',
  [paths.inbox]: 'conversations replies support',
  [paths.library]: 'templates',
  [paths.smsProvider]: 'senders numbers drain block list opt-outs',
  [paths.undelivered]: 'missed',
  [paths.admins]: 'invite roles viewer operator owner',
};

const hasWords = (words: string, text: string): boolean => {
  const name = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
};

/** The provider page has two addresses and is listed once, with the SMS system. */
const usePages = (words: string): Result[] => {
  const mayOpen = useMayOpen();
  const all = pages.flatMap(({ label, Icon, sections }) =>
    sections
      .filter((section) => section.path !== paths.provider && mayOpen(section))
      .map(
        (section): Result => ({
          key: section.path,
          Icon,
          label: section.label,
          detail: sections.length > 1 ? label : '',
          path: section.path,
        }),
      ),
  );
  return [...all, accountPage].filter(({ label, detail, path }) =>
    hasWords(words, `${label} ${detail} ${synonyms[path] ?? ''}`),
  );
};

/** Returns what matches the text, never what matched an earlier one. */
export function useResults(text: string) {
  const words = text.trim();
  const [settled] = useDebouncedValue(words, 200);
  const isLong = words.length >= minCharacters;
  const enabled = isLong && settled === words;
  const people = useQuery({ ...peopleQuery(words), enabled });
  const messages = useQuery({ ...messagesQuery(words), enabled });
  // Both together, or the later one could change what Enter opens.
  const searching = isLong && (people.isPending || messages.isPending);
  const isFound = isLong && !searching;
  const groups: { label: string; results: Result[] }[] = [
    { label: 'Pages', results: usePages(words) },
    {
      label: 'Actions',
      results: useActions()
        .filter(({ label, synonyms }) => hasWords(words, `${label} ${synonyms}`))
        .map((one) => ({ ...one, key: one.action, detail: '' })),
    },
    {
      label: 'Subscribers',
      results: (isFound ? (people.data?.rows ?? []) : []).map(({ id, name, email }) => ({
        key: id,
        Icon: IconUser,
        label: name,
        detail: email,
        path: paths.subscriber(id),
      })),
    },
    {
      label: 'Messages',
      results: (isFound ? (messages.data?.rows ?? []) : []).map(
        ({ id, title, scheduled_date }) => ({
          key: id,
          Icon: IconMessage,
          label: title,
          detail: formatLocalDate(scheduled_date),
          path: paths.messagesTitled(title),
        }),
      ),
    },
  ];
  return {
    groups: groups.filter(({ results }) => results.length > 0),
    searching,
    failed: isFound && (people.isError || messages.isError),
  };
}
