import { defineEndpoints, operator, owner } from './endpoint.ts';
import {
  FailedItems,
  FailedParams,
  type FailingService,
  ReplayAllRequest,
  ReplayAllResult,
  ReplayOutcome,
} from './failed.http.ts';

const templates = defineEndpoints({
  'GET /internal/parked': { access: 'internal', response: FailedItems },
  'POST /admin/parked/:service/:id/replay': operator('Retry a failed event or job', {
    params: FailedParams,
    response: ReplayOutcome,
    errors: [409],
  }),
  'POST /admin/parked/:service/replay-all': operator(
    'Retry all failed events or jobs of one kind',
    { body: ReplayAllRequest, response: ReplayAllResult, errors: [404], slow: true },
  ),
  'POST /admin/parked/:service/:id/discard': owner('Discard a failed event or job', {
    params: FailedParams,
    response: ReplayOutcome,
    errors: [409],
  }),
});

type Templates = typeof templates;
type WithService<K, S extends string> = K extends `${infer Before}:service${infer After}`
  ? `${Before}${S}${After}`
  : K;
export type FailedEndpoints<S extends FailingService> = {
  [K in keyof Templates as WithService<K, S>]: Templates[K];
};

export const failedEndpoints = <S extends FailingService>(service: S): FailedEndpoints<S> =>
  Object.fromEntries(
    Object.entries(templates).map(([key, endpoint]) => [
      key.replace(':service', service),
      endpoint,
    ]),
  ) as FailedEndpoints<S>;
