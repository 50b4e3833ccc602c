import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Ref } from 'react';
import { QuietRetry } from './QuietRetry.tsx';

/** Loads the next page of a list, or offers to try again. */
export const LoadMore = ({
  query,
  button,
  onLoad,
  mt,
}: {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchNextPageError' | 'isFetchingNextPage'
  >;
  button: Ref<HTMLButtonElement>;
  onLoad: () => void;
  mt?: 'sm';
}) => {
  if (query.isFetchNextPageError)
    return <QuietRetry busy={query.isFetchingNextPage} onRetry={onLoad} />;
  if (!query.hasNextPage) return null;
  return (
    <Button
      ref={button}
      variant="default"
      mt={mt}
      loading={query.isFetchingNextPage}
      onClick={onLoad}
    >
      Load more
    </Button>
  );
};
