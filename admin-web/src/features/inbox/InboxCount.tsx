import { useQuery } from '@tanstack/react-query';
import { TabCount } from '../../components/TabCount.tsx';
import { openQuery } from '../../shared.queries.ts';

export const InboxCount = () => <TabCount count={useQuery(openQuery).data ?? 0} label="open" />;
