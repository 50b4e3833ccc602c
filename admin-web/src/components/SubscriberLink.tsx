import { Anchor } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { paths } from '../paths.ts';

/** On the subscriber list, keeps the filters in the link's state for the way back. */
export const SubscriberLink = ({ id, children }: { id: string; children?: string }) => {
  const { pathname, search } = useLocation();
  const state = pathname === paths.subscribers ? { list: search } : undefined;
  return (
    <Anchor component={Link} to={paths.subscriber(id)} state={state} display="block">
      {children ?? 'View subscriber'}
    </Anchor>
  );
};
