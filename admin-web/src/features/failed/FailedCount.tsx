import { useQuery } from '@tanstack/react-query';
import { TabCount } from '../../components/TabCount.tsx';
import { failedQuery } from '../../shared.queries.ts';

export const FailedCount = () => (
  <TabCount count={useQuery(failedQuery).data?.total ?? 0} label="failed" />
);
