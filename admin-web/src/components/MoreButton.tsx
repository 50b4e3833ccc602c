import { Button, type ButtonProps } from '@mantine/core';

/** Loads the next page of a list, if there is one. */
export const MoreButton = ({
  query,
  ...button
}: ButtonProps & {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  children: string;
}) =>
  query.hasNextPage ? (
    <Button
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
      {...button}
    />
  ) : null;
