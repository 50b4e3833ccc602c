import { ErrorState } from '@daylift/ui/ErrorState';
import { Container } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';

/** Usually a page's code is gone because a newer version was deployed. */
export const RouteErrorPage = () => {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <Container size="sm" py="xl" component="main">
      <ErrorState
        title="This page couldn't be loaded"
        message="Reload the page to try again."
        onRetry={() => window.location.reload()}
      />
    </Container>
  );
};
