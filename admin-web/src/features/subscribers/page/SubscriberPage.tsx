import { ApiError } from '@daylift/api-client/request';
import type { AdminSubscriber } from '@daylift/contracts/timeline.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatZone } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { CardSkeleton } from '@daylift/ui/Skeletons';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { useCatalogue } from '../../../catalogue.ts';
import { StatusBadges } from '../StatusBadges.tsx';
import { ConsentCard } from './ConsentCard.tsx';
import { DayQuestion } from './DayQuestion.tsx';
import { MissingNotice } from './MissingNotice.tsx';
import { ProfileCard } from './ProfileCard.tsx';
import { SubscriberActions } from './SubscriberActions.tsx';
import classes from './SubscriberPage.module.css';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import { subscriberQuery } from './subscriber-page.queries.ts';
import { TimelineList } from './TimelineList.tsx';
import { useListPath } from './use-list-path.ts';

const BackToList = () => (
  <Anchor component={Link} to={useListPath()} w="fit-content">
    All subscribers
  </Anchor>
);

/** Unknown or deleted subscriber. */
const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

const Page = ({ subscriber, onRetry }: { subscriber: AdminSubscriber; onRetry: () => void }) => {
  const { id, name, timezone } = subscriber;
  return (
    <Stack gap="lg">
      <BackToList />
      <div className={classes.head}>
        <div>
          <Title order={1} fz="1.6rem">
            {name}
          </Title>
          <Text c="dimmed" fz="sm" mb="xs">
            Times are in the subscriber's time zone ({formatZone(timezone)}).
          </Text>
          <StatusBadges user={subscriber} />
        </div>
        <SubscriberActions subscriber={subscriber} />
      </div>
      <MissingNotice missing={subscriber.missing} onRetry={onRetry} />
      <div className={classes.columns}>
        <div className={classes.question}>
          <DayQuestion key={id} id={id} today={subscriber.today} />
        </div>
        <div className={classes.facts}>
          <ProfileCard subscriber={subscriber} />
          <SubscriptionCard subscriber={subscriber} />
          <ConsentCard subscriber={subscriber} />
        </div>
        <div className={classes.timeline}>
          <TimelineList key={id} id={id} />
        </div>
      </div>
    </Stack>
  );
};

export const SubscriberPage = () => {
  const { id = '' } = useParams();
  const product = useCatalogue()?.product_name;
  const query = useQuery(subscriberQuery(id));
  const { data, error } = query;
  const title = <title>{`${data?.name ?? 'Subscriber'} · ${product ?? ''} Admin`}</title>;
  if (isNotFound(error))
    return (
      <>
        {title}
        <EmptyState title="Subscriber not found" action={<BackToList />}>
          The account may have been deleted.
        </EmptyState>
      </>
    );
  return (
    <>
      {title}
      <QueryView query={query} loading={<CardSkeleton lines={8} />} heading="h1">
        {(subscriber) => <Page subscriber={subscriber} onRetry={() => void query.refetch()} />}
      </QueryView>
    </>
  );
};
