import { useLocation } from 'react-router';
import { paths } from '../../../paths.ts';

/** Returns the path of the list as it was left, with its search and filters. */
export function useListPath(): string {
  const { list = '' } = (useLocation().state ?? {}) as { list?: string };
  return `${paths.subscribers}${list}`;
}
