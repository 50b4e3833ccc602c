import { describeError } from '@daylift/api-client/operators-errors';
import { ErrorState } from '@daylift/ui/ErrorState';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Section } from '../../components/Section.tsx';
import { SubscribersTable } from '../../components/SubscribersTable.tsx';
import { useScrollHere } from '../../components/use-scroll-here.ts';
import { undeliveredSubscribersQuery } from './undelivered.queries.ts';

export const UndeliveredSubscribers = ({
  date,
  reason,
  title,
}: {
  date: string | null;
  reason: string;
  title: string;
}) => {
  const here = useScrollHere();
  const { data, error, isPending, isFetching, refetch, hasNextPage, fetchNextPage } =
    useInfiniteQuery(undeliveredSubscribersQuery(date, reason));
  return (
    <div ref={here} tabIndex={-1}>
      <Section title={title}>
        {isPending ? <TextSkeleton lines={4} /> : null}
        {!isPending && !data ? (
          <ErrorState
            message={describeError('load page', error)}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        ) : null}
        {data ? (
          <SubscribersTable
            label={title}
            people={data.pages.flatMap((page) => page.people)}
            onMore={hasNextPage ? () => void fetchNextPage() : null}
            loading={isFetching}
          />
        ) : null}
      </Section>
    </div>
  );
};
