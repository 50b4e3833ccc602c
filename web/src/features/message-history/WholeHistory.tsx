import { describeError } from '@daylift/api-client/errors';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorState } from '@daylift/ui/ErrorState';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Button, TextInput } from '@mantine/core';
import { IconMessageSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { QuietRetry } from '../../components/QuietRetry.tsx';
import messageClasses from './HistoryMessage.module.css';
import { HistoryMessage } from './HistoryMessage.tsx';
import { wholeHistoryQuery } from './message-history.queries.ts';
import classes from './WholeHistory.module.css';

const SearchField = ({
  search,
  onSearch,
}: {
  search: string;
  onSearch: (words: string) => void;
}) => {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(field.current?.value.trim() ?? '');
  };
  const clear = () => {
    if (field.current) field.current.value = '';
    field.current?.focus();
    onSearch('');
  };
  return (
    <search>
      <form className={classes.search} onSubmit={submit}>
        <TextInput
          ref={field}
          type="search"
          label="Search your messages"
          placeholder="A word you remember"
          maxLength={100}
          defaultValue={search}
          className={classes.field}
        />
        <Button type="submit">Search</Button>
        {search === '' ? null : (
          <Button variant="default" onClick={clear}>
            Clear
          </Button>
        )}
      </form>
    </search>
  );
};

const countInWords = (count: number, more: boolean, search: string): string => {
  const texts = `${count}${more ? ' or more' : ''} ${count === 1 && !more ? 'message' : 'messages'}`;
  return search === '' ? texts : `${texts} with “${search}”`;
};

const Messages = ({ search, timeZone }: { search: string; timeZone: string }) => {
  const history = useInfiniteQuery(wholeHistoryQuery(search));
  const messages = history.data?.pages.flat() ?? [];
  if (history.isPending) return <TextSkeleton lines={6} />;
  if (history.isError && messages.length === 0)
    return (
      <ErrorState
        message={describeError('load page', history.error)}
        busy={history.isFetching}
        onRetry={() => history.refetch()}
      />
    );
  if (messages.length === 0)
    return (
      <EmptyState
        picture={<IconMessageSearch size={30} stroke={1.8} />}
        title={search === '' ? 'No messages yet' : `No message with “${search}”`}
      >
        {search === ''
          ? 'Your daily motivational messages will appear here'
          : 'Try a shorter word, or only its beginning.'}
      </EmptyState>
    );
  return (
    <>
      <p className={classes.count}>{countInWords(messages.length, history.hasNextPage, search)}</p>
      <ul className={messageClasses.messages} aria-label="All messages">
        {messages.map((message) => (
          <HistoryMessage key={message.id} message={message} timeZone={timeZone} />
        ))}
      </ul>
      {history.isFetchNextPageError ? (
        <QuietRetry
          busy={history.isFetchingNextPage}
          onRetry={() => void history.fetchNextPage()}
        />
      ) : null}
      {history.hasNextPage && !history.isFetchNextPageError ? (
        <Button
          variant="default"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Load more
        </Button>
      ) : null}
    </>
  );
};

/** Every text so far, to look through and to search. Asked for only once somebody opens it. */
export const WholeHistory = ({ timeZone }: { timeZone: string }) => {
  const [shown, setShown] = useState(false);
  const [search, setSearch] = useState('');
  return (
    <DashboardCard
      title="All Messages"
      action={
        <Button variant="default" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show All Messages'}
        </Button>
      }
    >
      {shown ? (
        <>
          <SearchField search={search} onSearch={setSearch} />
          <div aria-live="polite">
            <Messages search={search} timeZone={timeZone} />
          </div>
        </>
      ) : (
        <p className={classes.count}>Every text that you have had, with a search.</p>
      )}
    </DashboardCard>
  );
};
