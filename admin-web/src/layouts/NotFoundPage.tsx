import { EmptyState } from '@daylift/ui/EmptyState';
import { Anchor, Container } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../paths.ts';

export const NotFoundPage = () => (
  <Container size="sm" py="xl" component="main">
    <title>Not found</title>
    <EmptyState title="There is nothing at this address">
      <Anchor component={Link} to={paths.dashboard}>
        Go to the dashboard
      </Anchor>
    </EmptyState>
  </Container>
);
