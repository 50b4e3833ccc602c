import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../paths.ts';

/** The way to everything that is known of somebody. */
export const SubscriberLink = ({ id, children }: { id: string; children?: string }) => (
  <Anchor component={Link} to={paths.subscriber(id)} display="block">
    {children ?? 'Show subscriber'}
  </Anchor>
);
