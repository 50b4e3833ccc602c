import { describeError } from '@daylift/api-client/operators-errors';
import { ErrorState } from '@daylift/ui/ErrorState';
import { Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Section } from '../../components/Section.tsx';

/** A chart with what it comes to in words, and what stands there until it is loaded. */
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
          These figures could not be refreshed and may be old.
        </Text>
      ) : null}
    </Section>
  );
};
