import { QueryView } from '@daylift/ui/QueryView';
import { Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Section } from '../../components/Section.tsx';
import { StaleNotice } from './StaleNotice.tsx';

/** A chart with a one-sentence summary and its loading and error states. */
export const ChartSection = <T,>({
  title,
  query,
  describe,
  children,
}: {
  title: string;
  query: UseQueryResult<T[]>;
  describe: (rows: T[]) => string;
  children: (rows: T[]) => ReactNode;
}) => {
  return (
    <Section title={title}>
      <QueryView query={query} loading={<Skeleton height={280} radius="md" />}>
        {(data) => (
          <>
            <Text c="dimmed" mb="md">
              {describe(data)}
            </Text>
            {children(data)}
            <StaleNotice query={query} />
          </>
        )}
      </QueryView>
    </Section>
  );
};
