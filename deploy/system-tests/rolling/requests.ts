import { dayMs } from '@daylift/clock/durations';
import type { LoadRequest } from './load-driver.ts';

export interface Callers {
  /** One subscriber each, because concurrent calls of one subscriber wait for each other. */
  readers: string[];
  owner: string;
}

type MakeRequest = (round: number, callers: Callers) => LoadRequest;

type Caller = (callers: Callers, round: number) => string | undefined;
const anonymous: Caller = () => undefined;
const reader: Caller = ({ readers }, round) => readers[round % readers.length];
const owner: Caller = (callers) => callers.owner;

const reads = (start: string, paths: string[], caller: Caller): MakeRequest[] =>
  paths.map((path) => (round, callers) => ({
    method: 'GET',
    path: start + path,
    token: caller(callers, round),
  }));

/** Typical calls of subscribers and operators, in turn. Each date accepts one message, so duplicates are noticed. */
const requests: MakeRequest[] = [
  ...reads('/', ['', 'api/plans', 'api/plans', 'api/plans', 'api/faqs', 'api/faqs'], anonymous),
  ...reads('/api/users/me', ['', '', '', '/sms-history', '/sms-history'], reader),
  ...reads('/api/users/me', ['/next-text', '/subscription'], reader),
  ...reads('/api/admin/', ['users?limit=10', 'freeze', 'templates', 'me', 'me'], owner),
  (round, callers) => ({
    method: 'PUT',
    path: '/api/users/me',
    token: reader(callers, round),
    // A different hour each time.
    body: {
      delivery_time: Math.floor(round / callers.readers.length) % 2 === 0 ? '21:00' : '22:00',
    },
  }),
  (round, callers) => ({
    method: 'POST',
    path: '/api/admin/scheduled-messages',
    token: owner(callers, round),
    body: {
      title: `Written ${round}`,
      content: 'A kind word',
      scheduled_date: new Date(Date.UTC(2028, 0, 1) + round * dayMs).toISOString().slice(0, 10),
    },
  }),
];

export function requestOf(index: number, callers: Callers): LoadRequest {
  const make = requests[index % requests.length] as MakeRequest;
  return make(Math.floor(index / requests.length), callers);
}

/** Returns how many of these requests were of the last kind. */
export const requestsPerKind = (count: number): number => Math.floor(count / requests.length);
