import { QueryView } from '@daylift/ui/QueryView';
import { Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Section } from '../../components/Section.tsx';
import { StaleNotice } from './StaleNotice.tsx';

/** A chart with a one-sentence summary and its loading and error states. */
export const ChartSection = <T,>({
  title,
  query,
  describe,
  compare,
  children,
}: {
  title: string;
  query: UseQueryResult<T>;
  describe: (data: T) => string;
  /** Sentences about the period before. */
  compare?: ((data: T) => string[]) | undefined;
  children: (data: T) => ReactNode;
}) => {
  return (
    <Section title={title}>
      <QueryView query={query} loading={<Skeleton height={328} radius="md" />}>
        {(data) => (
          <>
            <Text c="dimmed" mb="md">
              {describe(data)}
            </Text>
            {compare ? (
              <Stack gap={2} mb="md">
                {compare(data).map((words) => (
                  <Text key={words} fz="sm">
                    {words}
                  </Text>
                ))}
              </Stack>
            ) : null}
            {children(data)}
            <StaleNotice query={query} />
          </>
        )}
      </QueryView>
    </Section>
  );
};
