import type { Forecast } from '@daylift/contracts/forecast.http';
import { formatEstimate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { inTime } from '../../components/durations.ts';
import { FigureCard } from '../../components/FigureCard.tsx';
import { LibraryRunway } from '../../components/LibraryRunway.tsx';
import { Section } from '../../components/Section.tsx';
import { Time } from '../../components/Time.tsx';
import { forecastQuery } from '../../shared.queries.ts';
import { DaysTable } from './DaysTable.tsx';
import { HoursTable, totalCost } from './HoursTable.tsx';
import { OverCapacity } from './OverCapacity.tsx';
import { SkippedSection } from './SkippedSection.tsx';

const Freshness = ({ forecast }: { forecast: Forecast }) => (
  <Stack gap={6}>
    <Text c="dimmed">
      A forecast of the next 48 hours{' '}
      {forecast.as_of ? (
        <>
          as of <Time at={forecast.as_of} />
        </>
      ) : (
        'from current data'
      )}
      . It updates while this page is open.
    </Text>
    <Text role="status" c="dimmed" fz="sm">
      {forecast.progress === null ? '' : 'Computing…'}
    </Text>
    {forecast.progress === null ? null : (
      <Progress value={Math.max(2, forecast.progress)} size="sm" aria-label="Computing" />
    )}
  </Stack>
);

const Figures = ({ forecast }: { forecast: Forecast }) => {
  const { hours, skipped, currency } = forecast;
  const busiest = hours.toSorted((one, other) => other.people - one.people)[0];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <FigureCard
        label="Texts"
        value={hours.reduce((sum, hour) => sum + hour.people, 0)}
        note="in the next 48 hours"
      />
      <FigureCard
        label="Cost"
        value={formatEstimate(totalCost(hours), currency)}
        note="based on recent prices"
      />
      <FigureCard
        label="Busiest hour"
        value={busiest?.people ?? 0}
        note={
          busiest && busiest.people > 0 ? (
            <>
              <Time at={busiest.starts_at} />, sent within {inTime(busiest.drain_seconds)}
            </>
          ) : (
            'no texts'
          )
        }
      />
      <FigureCard
        label="Skipped"
        value={skipped.reduce((sum, skip) => sum + skip.people, 0)}
        note="due but won't get a text"
      />
    </SimpleGrid>
  );
};

export const ForecastTab = () => {
  const query = useQuery(forecastQuery);
  return (
    <QueryView query={query} lines={6}>
      {(data) => (
        <>
          <Freshness forecast={data} />
          {data.as_of ? (
            <>
              <Figures forecast={data} />
              <OverCapacity forecast={data} />
              <Section title="By day">
                <DaysTable days={data.days} />
              </Section>
              <Section title="Library">
                <LibraryRunway />
              </Section>
              <SkippedSection skipped={data.skipped} />
              <Section title="By hour">
                <HoursTable hours={data.hours} currency={data.currency} />
              </Section>
            </>
          ) : null}
        </>
      )}
    </QueryView>
  );
};
