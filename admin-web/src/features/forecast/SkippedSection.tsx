import type { ForecastSkip } from '@daylift/contracts/forecast.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount } from '@daylift/ui/formats';
import { Button, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { SubscribersSection } from '../../components/SubscribersSection.tsx';
import { forecastSkipsQuery } from './forecast.queries.ts';

const columns = (onShow: (skip: ForecastSkip) => void): Column<ForecastSkip>[] => [
  { header: 'Reason', cell: (skip) => skip.words },
  { header: 'Subscribers', cell: (skip) => formatCount(skip.people), numeric: true },
  {
    header: 'Details',
    cell: (skip) => (
      <Button
        variant="default"
        onClick={() => onShow(skip)}
        aria-label={`Show subscribers: ${skip.words}`}
      >
        Show subscribers
      </Button>
    ),
    numeric: true,
  },
];

const SkippedPeople = ({ skip }: { skip: ForecastSkip }) => (
  <SubscribersSection title={skip.words} query={useInfiniteQuery(forecastSkipsQuery(skip.key))} />
);

/** Subscribers who are due but won't get a text, by reason. */
export const SkippedSection = ({ skipped }: { skipped: ForecastSkip[] }) => {
  const [shown, setShown] = useState<ForecastSkip | null>(null);
  return (
    <Stack gap="lg">
      <Section title="Skipped subscribers">
        {skipped.length === 0 ? (
          <EmptyState title="None skipped">Everyone who is due will get their text.</EmptyState>
        ) : (
          <DataTable
            label="Reasons"
            columns={columns(setShown)}
            rows={skipped}
            rowKey={(skip) => skip.key}
          />
        )}
      </Section>
      {shown ? <SkippedPeople key={shown.key} skip={shown} /> : null}
    </Stack>
  );
};
