import { describeError } from '@daylift/api-client/operators-errors';
import { ErrorState } from '@daylift/ui/ErrorState';
import { Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Section } from '../../components/Section.tsx';

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
  const { data, error, isError, isFetching, refetch } = query;
  return (
    <Section title={title}>
      {data ? (
        <>
          <Text c="dimmed" mb="md">
            {describe(data)}
          </Text>
          {children(data)}
        </>
      ) : null}
      {!data && !isError ? <Skeleton height={280} radius="md" /> : null}
      {!data && isError ? (
        <ErrorState
          message={describeError('load page', error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : null}
      {data && isError ? (
        <Text role="status" c="dimmed" fz="sm">
          Couldn't refresh these numbers. They may be out of date.
        </Text>
      ) : null}
    </Section>
  );
};
