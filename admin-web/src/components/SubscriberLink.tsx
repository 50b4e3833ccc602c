import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../paths.ts';

export const SubscriberLink = ({ id, children }: { id: string; children?: string }) => (
  <Anchor component={Link} to={paths.subscriber(id)} display="block">
    {children ?? 'View subscriber'}
  </Anchor>
);
