import { EmptyState } from '@daylift/ui/EmptyState';
import { Anchor, Container } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../paths.ts';

export const NotFoundPage = () => (
  <Container size="sm" py="xl" component="main">
    <title>Page not found</title>
    <EmptyState title="Page not found">
      <Anchor component={Link} to={paths.dashboard}>
        Go to dashboard
      </Anchor>
    </EmptyState>
  </Container>
);
