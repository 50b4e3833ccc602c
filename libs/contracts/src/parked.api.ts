import { defineEndpoints } from './endpoint.ts';
import {
  ParkedItems,
  ParkedOutcome,
  ParkedParams,
  type ParkingService,
  ReplayAllRequest,
  ReplayAllResult,
} from './parked.http.ts';

/** Endpoints of one service; `:service` is replaced by its name. */
const templates = defineEndpoints({
  'GET /internal/parked': { access: 'internal', response: ParkedItems },
  'POST /admin/parked/:service/:id/replay': {
    access: 'operator',
    summary: 'Retry a failed event or job',
    params: ParkedParams,
    response: ParkedOutcome,
    errors: [404, 409],
  },
  'POST /admin/parked/:service/replay-all': {
    access: 'operator',
    summary: 'Retry all failed events or jobs of one kind',
    body: ReplayAllRequest,
    response: ReplayAllResult,
    errors: [404],
    slow: true,
  },
  'POST /admin/parked/:service/:id/discard': {
    access: 'owner',
    summary: 'Discard a failed event or job',
    params: ParkedParams,
    response: ParkedOutcome,
    errors: [404, 409],
  },
});

type Templates = typeof templates;
type WithService<K, S extends string> = K extends `${infer Before}:service${infer After}`
  ? `${Before}${S}${After}`
  : K;
export type ParkedEndpoints<S extends ParkingService> = {
  [K in keyof Templates as WithService<K, S>]: Templates[K];
};

/** Returns the failed-event endpoints that every service declares. */
export const parkedEndpoints = <S extends ParkingService>(service: S): ParkedEndpoints<S> =>
  Object.fromEntries(
    Object.entries(templates).map(([key, endpoint]) => [
      key.replace(':service', service),
      endpoint,
    ]),
  ) as ParkedEndpoints<S>;
