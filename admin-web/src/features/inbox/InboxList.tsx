import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { IconMailCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MoreButton } from '../../components/MoreButton.tsx';
import classes from './Inbox.module.css';
import { InboxItemLink } from './InboxItemLink.tsx';
import { type Filter, inboxQuery } from './inbox.queries.ts';

const emptyWords = (filter: Filter): [string, string] => {
  const { state, kind, search, unanswered, assignee } = filter;
  if (search !== '' || kind !== null)
    return ['No matches', 'Try another search, or all message types.'];
  if (unanswered) return ['Nothing unanswered', 'Every open message has a reply.'];
  if (assignee !== null)
    return ['Nothing assigned to you', 'Choose All messages to see the others.'];
  return state === 'open'
    ? ['No open messages', 'New messages and replies appear here automatically.']
    : ['No closed conversations', 'Conversations that you close are kept here.'];
};

export const InboxList = ({
  filter,
  chosen,
  linkTo,
}: {
  filter: Filter;
  chosen: string | null;
  linkTo: (id: string) => string;
}) => {
  const query = useInfiniteQuery(inboxQuery(filter));
  const [title, words] = emptyWords(filter);
  return (
    <QueryView
      query={query}
      lines={6}
      isEmpty={({ pages }) => pages[0]?.items.length === 0}
      empty={
        <EmptyState picture={<IconMailCheck size={30} />} title={title}>
          {words}
        </EmptyState>
      }
    >
      {({ pages }) => (
        <>
          <ul className={classes.items} aria-label="Conversations">
            {pages
              .flatMap((page) => page.items)
              .map((item) => (
                <li key={item.id}>
                  <InboxItemLink item={item} to={linkTo(item.id)} current={item.id === chosen} />
                </li>
              ))}
          </ul>
          <MoreButton query={query} fullWidth mt="md">
            Show older
          </MoreButton>
        </>
      )}
    </QueryView>
  );
};
