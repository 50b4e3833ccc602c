import { useQuery } from '@tanstack/react-query';
import { TabCount } from '../../components/TabCount.tsx';
import { parkedQuery } from './parked.queries.ts';

export const ParkedCount = () => (
  <TabCount count={useQuery(parkedQuery).data?.total ?? 0} what="failed" />
);
