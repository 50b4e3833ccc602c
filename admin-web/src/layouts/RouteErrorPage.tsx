import { ErrorState } from '@daylift/ui/ErrorState';
import { Container } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';

/** Most often the code of a page is gone because a newer version is out. */
export const RouteErrorPage = () => {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <Container size="sm" py="xl" component="main">
      <ErrorState
        title="This page could not be shown"
        message="Please load it once more."
        onRetry={() => window.location.reload()}
      />
    </Container>
  );
};
