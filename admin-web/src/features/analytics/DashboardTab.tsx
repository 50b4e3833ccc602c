import type { SmsStats } from '@daylift/contracts/sms.http';
import { capitalized, formatCount, formatMoney } from '@daylift/ui/formats';
import { lazyComponent } from '@daylift/ui/lazy';
import { QueryFailure } from '@daylift/ui/QueryView';
import { SimpleGrid, Skeleton } from '@mantine/core';
import { IconCalendarClock, IconChartBar, IconSparkles, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import { counted } from '../../components/counted.ts';
import { FigureCard } from '../../components/FigureCard.tsx';
import { Section } from '../../components/Section.tsx';
import { AttentionStrip } from './AttentionStrip.tsx';
import { analyticsQuery } from './analytics.queries.ts';
import { BusinessCards } from './BusinessCards.tsx';
import { StaleNotice } from './StaleNotice.tsx';
import { TodaysMessageCard } from './TodaysMessageCard.tsx';

/** The chart library loads after the numbers. */
const DashboardCharts = lazyComponent('DashboardCharts', () => import('./DashboardCharts.tsx'));

/** What SMS figures count: no welcome texts, codes or replies. */
const countedTexts = 'daily texts and announcements';

const rateOf = ({ success_rate, total_sent }: SmsStats): string =>
  total_sent === 0 ? 'None yet' : `${Math.round(success_rate * 10) / 10}%`;
export const DashboardTab = () => {
  const query = useQuery(analyticsQuery);
  const { data, isError } = query;
  const currency = useCatalogue()?.currency ?? 'usd';
  if (isError && !data) return <QueryFailure query={query} />;
  return (
    <>
      <AttentionStrip date={data?.scheduled_messages.todays_message.date} />
      <BusinessCards figures={data} />
      <TodaysMessageCard today={data?.scheduled_messages.todays_message} />
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <FigureCard
          label="Total Users"
          value={data?.users.active}
          note={data ? `active, of ${counted(data.users.total, 'account', 'accounts')}` : ''}
          icon={<IconUsers size={20} />}
        />
        <FigureCard
          label="Active Subs"
          value={data?.subscriptions.trial}
          note={data ? `on trial, and ${formatCount(data.subscriptions.active)} paying` : ''}
          icon={<IconSparkles size={20} />}
        />
        <FigureCard
          label="Scheduled"
          value={data?.scheduled_messages.pending}
          note={data ? `of ${counted(data.scheduled_messages.total, 'message', 'messages')}` : ''}
          icon={<IconCalendarClock size={20} />}
        />
        <FigureCard
          label="SMS Rate"
          value={data ? rateOf(data.sms) : undefined}
          note={
            data
              ? `${formatCount(data.sms.successful)} / ${formatCount(data.sms.total_sent)} sent; ${countedTexts}`
              : ''
          }
          icon={<IconChartBar size={20} />}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title="Revenue Overview">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <FigureCard
              label="Total Revenue"
              value={
                data
                  ? [{ currency, ...data.revenue }, ...(data.revenue.others ?? [])]
                      .map((one) => formatMoney(one.total_cents, one.currency))
                      .join(' + ')
                  : undefined
              }
            />
            <FigureCard label="Transactions" value={data?.revenue.transactions} />
          </SimpleGrid>
        </Section>
        <Section title="Message Statistics">
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <FigureCard
              label="Templates"
              value={
                data
                  ? `${formatCount(data.templates.active)} / ${formatCount(data.templates.total)}`
                  : undefined
              }
              note="active / total"
            />
            <FigureCard label="Pending Scheduled" value={data?.scheduled_messages.pending} />
            <FigureCard
              label="SMS Sent"
              value={data?.sms.total_sent}
              note={capitalized(countedTexts)}
            />
          </SimpleGrid>
        </Section>
      </SimpleGrid>
      <Suspense fallback={<Skeleton height={700} radius="md" />}>
        <DashboardCharts />
      </Suspense>
      <StaleNotice query={query} />
    </>
  );
};
