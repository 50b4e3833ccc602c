import { describeError } from '@daylift/api-client/operators-errors';
import type { LoggedText } from '@daylift/contracts/sms-operations.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorText } from '@daylift/ui/ErrorText';
import { formatCount, formatTextPrice } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { MoreButton } from '../../components/MoreButton.tsx';
import { Section } from '../../components/Section.tsx';
import { SubscriberLink } from '../../components/SubscriberLink.tsx';
import { Time } from '../../components/Time.tsx';
import { useUrlParams } from '../../components/use-url-params.ts';
import { StatusSelect, statusNames } from './StatusSelect.tsx';
import { type LogFilter, logQuery } from './sms-system.queries.ts';

const kinds: Record<string, string> = {
  daily: 'Daily text',
  announcement: 'Announcement',
  welcome: 'Welcome',
  consent_request: 'Consent request',
  help: 'HELP reply',
  confirmation: 'Confirmation',
  stop_confirmation: 'STOP confirmation',
  crisis_line: 'Crisis line',
  one_time_code: 'Code',
  answer: 'Staff reply',
  test: 'Test text',
};

const preview = (words: string): string => (words.length > 50 ? `${words.slice(0, 50)}…` : words);

const columns: Column<LoggedText>[] = [
  {
    header: 'When',
    cell: (text) => <Time at={text.sent_at ?? text.created_at} />,
  },
  {
    header: 'To',
    cell: ({ user_id, first_name, to }) => {
      const number = to ?? 'number removed';
      if (user_id === null) return number;
      return (
        <span>
          <SubscriberLink id={user_id}>{first_name || number}</SubscriberLink>
          {first_name ? number : null}
        </span>
      );
    },
  },
  {
    header: 'Status',
    cell: (text) => (
      <Stack gap={4} align="flex-start">
        <Badge tone={statusNames[text.status].tone}>{statusNames[text.status].label}</Badge>
        {text.is_test ? <Badge tone="yellow">Test</Badge> : null}
      </Stack>
    ),
  },
  {
    header: 'Text',
    cell: (text) => (
      <span>
        {kinds[text.kind] ?? text.kind}
        <Text component="span" c="dimmed" fz="sm" display="block">
          {preview(text.message_content)}
        </Text>
      </span>
    ),
  },
  { header: 'Reason', cell: (text) => text.reason ?? '' },
  { header: 'Parts', cell: (text) => text.parts ?? '', numeric: true },
  {
    header: 'Cost per text',
    cell: (text) => (text.cost ? formatTextPrice(text.cost, text.currency ?? 'USD') : ''),
    numeric: true,
  },
];

const Rows = ({ filter }: { filter: LogFilter }) => {
  const query = useInfiniteQuery(logQuery(filter));
  const { error, hasNextPage } = query;
  const rows = query.data?.pages.flat() ?? [];
  return (
    <QueryView
      query={query}
      lines={6}
      isEmpty={() => rows.length === 0}
      empty={<EmptyState title="No texts">No log entries match these filters.</EmptyState>}
    >
      {() => (
        <Stack gap="md">
          <DataTable
            label="Delivery log"
            columns={columns}
            rows={rows}
            rowKey={(text) => text.id}
          />
          <Group justify="space-between">
            <Text c="dimmed" fz="sm" role="status">
              {formatCount(rows.length)} shown, newest first
              {hasNextPage ? '' : '; end of log'}
            </Text>
            <MoreButton query={query}>Show older texts</MoreButton>
          </Group>
          {error ? <ErrorText>{describeError('load page', error)}</ErrorText> : null}
        </Stack>
      )}
    </QueryView>
  );
};

/** Filters are part of the URL, so the dashboard can link to failed texts. */
const readFilter = (params: URLSearchParams): LogFilter => {
  const status = Object.keys(statusNames).find((name) => name === params.get('status'));
  const day = (name: string) => /^\d{4}-\d{2}-\d{2}$/.exec(params.get(name) ?? '')?.[0];
  const [from, to] = [day('from'), day('to')];
  return {
    ...(status && { status: status as LoggedText['status'] }),
    ...(from && { from }),
    ...(to && { to }),
  };
};

export const DeliveryLog = () => {
  const [params, change] = useUrlParams();
  const filter = readFilter(params);
  const set = (name: keyof LogFilter, value: string | undefined) =>
    change({ [name]: value ?? null }, { replace: true });
  return (
    <Section title="Delivery Log">
      <SimpleGrid cols={{ base: 1, xs: 3 }} mb="md">
        <StatusSelect value={filter.status} onChange={(status) => set('status', status)} />
        <TextInput
          type="date"
          label="From"
          value={filter.from ?? ''}
          onChange={(event) => set('from', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="To"
          value={filter.to ?? ''}
          onChange={(event) => set('to', event.currentTarget.value)}
        />
      </SimpleGrid>
      <Rows filter={filter} />
    </Section>
  );
};
