import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryFailure } from '@daylift/ui/QueryView';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { IconMessageSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LoadMore } from '../../components/LoadMore.tsx';
import { useFocusOnNext } from '../../components/use-focus-on-next.ts';
import messageClasses from './HistoryMessage.module.css';
import { HistoryMessage } from './HistoryMessage.tsx';
import { wholeHistoryQuery } from './message-history.queries.ts';
import classes from './WholeHistory.module.css';

const countInWords = (count: number, more: boolean, search: string): string => {
  const texts = `${count}${more ? ' or more' : ''} ${count === 1 && !more ? 'message' : 'messages'}`;
  return search === '' ? texts : `${texts} with “${search}”`;
};

const NoResults = ({ search }: { search: string }) => (
  <EmptyState
    picture={<IconMessageSearch size={30} stroke={1.8} />}
    title={search === '' ? 'No messages yet' : `No message with “${search}”`}
  >
    {search === ''
      ? 'Your daily motivational messages will appear here'
      : 'Try a shorter word, or just its beginning.'}
  </EmptyState>
);

/** Search results. Only their count is announced to screen readers. */
export const FoundMessages = ({ search, timeZone }: { search: string; timeZone: string }) => {
  const history = useInfiniteQuery(wholeHistoryQuery(search));
  const messages = history.data?.pages.flat() ?? [];
  const { list, button, focusNext } = useFocusOnNext(messages.length);
  const loadMore = () => {
    focusNext();
    void history.fetchNextPage();
  };
  return (
    <>
      <div aria-live="polite">
        {history.isPending ? <TextSkeleton lines={6} /> : null}
        {history.isSuccess && messages.length === 0 ? <NoResults search={search} /> : null}
        {messages.length > 0 ? (
          <p className={classes.count}>
            {countInWords(messages.length, history.hasNextPage, search)}
          </p>
        ) : null}
      </div>
      {history.isError && messages.length === 0 ? <QueryFailure query={history} /> : null}
      {messages.length > 0 ? (
        <ul ref={list} className={messageClasses.messages} aria-label="All messages">
          {messages.map((message) => (
            <HistoryMessage key={message.id} message={message} timeZone={timeZone} />
          ))}
        </ul>
      ) : null}
      <LoadMore query={history} button={button} onLoad={loadMore} />
    </>
  );
};
