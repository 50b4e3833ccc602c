import { createContext, type ReactNode, useContext } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { TextSkeleton } from './Skeletons.tsx';

interface QueryState<T> {
  data: T | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Turns a failed load into words; each app provides its own. */
export const LoadErrorWords = createContext<(error: unknown) => string>(String);

interface FailureProps {
  title?: string;
  heading?: 'h1';
  describe?: (error: unknown) => string;
}

export const QueryFailure = ({
  query: { error, isFetching, refetch },
  describe,
  ...rest
}: FailureProps & { query: QueryState<unknown> }) => {
  const words = useContext(LoadErrorWords);
  return (
    <ErrorState
      message={(describe ?? words)(error)}
      onRetry={() => void refetch()}
      busy={isFetching}
      {...rest}
    />
  );
};

/** The data of a query, or its loading, error or empty state. An error doesn't hide earlier data. */
export const QueryView = <T,>({
  query,
  lines = 3,
  loading = <TextSkeleton lines={lines} />,
  empty,
  isEmpty = (data) => Array.isArray(data) && data.length === 0,
  children,
  ...failure
}: FailureProps & {
  query: QueryState<T>;
  /** Lines of the skeleton: as many as the content has. */
  lines?: number;
  loading?: ReactNode;
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
}) => {
  const { data, error } = query;
  if (data !== undefined) return empty && isEmpty(data) ? empty : children(data);
  return error ? <QueryFailure query={query} {...failure} /> : loading;
};
