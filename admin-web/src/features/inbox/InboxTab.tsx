import type { SupportMessageKind } from '@daylift/contracts/inbox.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { Button, Group, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Section } from '../../components/Section.tsx';
import { useUrlParams, withParams } from '../../components/use-url-params.ts';
import { adminQuery } from '../../session/use-admin.ts';
import { ConversationPane } from './ConversationPane.tsx';
import classes from './Inbox.module.css';
import { InboxList } from './InboxList.tsx';
import { kindNames } from './words.ts';

const kinds = [
  { value: '', label: 'All types' },
  ...Object.entries(kindNames).map(([value, label]) => ({ value, label })),
];
const shows = [
  { value: '', label: 'All messages' },
  { value: 'unanswered', label: 'Unanswered' },
  { value: 'mine', label: 'Assigned to me' },
];
const readKind = (value: string | null): SupportMessageKind | null =>
  value !== null && value in kindNames ? (value as SupportMessageKind) : null;

/** The open conversation and the list filters, kept in the URL. */
const useInboxAddress = () => {
  const [address, change] = useUrlParams();
  return {
    chosen: address.get('conversation'),
    state: address.get('state') === 'closed' ? ('closed' as const) : ('open' as const),
    kind: readKind(address.get('kind')),
    show: address.get('show') ?? '',
    change,
    linkTo: (id: string) => `?${withParams(address, { conversation: id })}`,
  };
};

/** On small screens, moves focus to the pane that replaced the one with the focus. */
const usePaneFocus = (chosen: string | null) => {
  const panes = useRef<HTMLDivElement>(null);
  const shown = useRef(chosen);
  useEffect(() => {
    if (shown.current === chosen) return;
    shown.current = chosen;
    const active = document.activeElement;
    if (active !== document.body && active?.getClientRects().length) return;
    panes.current?.focus({ preventScroll: true });
  }, [chosen]);
  return panes;
};

export const InboxTab = () => {
  const { chosen, state, kind, show, change, linkTo } = useInboxAddress();
  const panes = usePaneFocus(chosen);
  const own = useQuery(adminQuery).data?.id ?? null;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  return (
    <div ref={panes} tabIndex={-1} className={classes.panes} data-chosen={chosen !== null}>
      <div className={classes.list}>
        <Section title="Messages and replies">
          <Group gap="sm" mb="md" align="flex-end">
            <SegmentedControl
              size="md"
              aria-label="Conversation status"
              value={state}
              onChange={(value) => change({ state: value === 'closed' ? value : null })}
              data={[
                { value: 'open', label: 'Open' },
                { value: 'closed', label: 'Closed' },
              ]}
            />
            <NativeSelect
              label="Type"
              flex="1 1 8rem"
              value={kind ?? ''}
              data={kinds}
              onChange={(event) => change({ kind: event.currentTarget.value })}
            />
            <NativeSelect
              label="Show"
              flex="1 1 11rem"
              value={show}
              data={shows}
              onChange={(event) => change({ show: event.currentTarget.value })}
            />
            <TextInput
              aria-label="Search"
              placeholder="Search text or email"
              leftSection={<IconSearch size={18} aria-hidden />}
              value={typed}
              maxLength={100}
              onChange={(event) => setTyped(event.currentTarget.value)}
              flex="1 1 13.5rem"
            />
          </Group>
          <InboxList
            filter={{
              ...{ state, kind, search },
              unanswered: show === 'unanswered',
              assignee: show === 'mine' ? own : null,
            }}
            chosen={chosen}
            linkTo={linkTo}
          />
        </Section>
      </div>
      <div className={classes.conversation} data-empty={chosen === null}>
        {chosen === null ? (
          <Section title="Conversation">
            <EmptyState title="No conversation selected">
              Select a conversation to read and reply.
            </EmptyState>
          </Section>
        ) : (
          <Stack gap="sm">
            <Button
              className={classes.back}
              variant="default"
              h={44}
              leftSection={<IconArrowLeft size={18} aria-hidden />}
              onClick={() => change({ conversation: null })}
              style={{ alignSelf: 'flex-start' }}
            >
              Back to list
            </Button>
            <ConversationPane id={chosen} linkTo={linkTo} />
          </Stack>
        )}
      </div>
    </div>
  );
};
