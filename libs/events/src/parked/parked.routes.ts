import { ErrorBody } from '@daylift/contracts/error';
import {
  ParkedItems,
  ParkedOutcome,
  ParkedParams,
  type ParkingService,
  ReplayAllRequest,
  ReplayAllResult,
} from '@daylift/contracts/parked.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin, requireService } from '@daylift/server/identity';
import { redact } from '@daylift/server/logger';
import { discardParked, type ParkedDeps, replayAllParked, replayParked } from './end-parked.ts';
import { measureParked } from './parked-metrics.ts';

const shownOfAService = 200;
/** Below the patience of the door. */
const replayAllMs = 15_000;
const refusals = { 401: ErrorBody, 403: ErrorBody };
const ofOne = {
  schema: {
    params: ParkedParams,
    response: {
      200: ParkedOutcome,
      400: ErrorBody,
      404: ErrorBody,
      409: ErrorBody,
      503: ErrorBody,
      ...refusals,
    },
  },
};

/** What a service has parked, the same in each: our gateway reads, operators replay, owners discard. */
export async function registerParked<T>(
  app: Server,
  service: ParkingService,
  deps: ParkedDeps<T>,
): Promise<void> {
  const path = `/admin/parked/${service}`;
  measureParked(deps);
  await app.register(async (scope) => {
    scope.addHook('onRequest', requireService);
    scope.get(
      '/internal/parked',
      { schema: { response: { 200: ParkedItems, ...refusals } } },
      async () => listParked(deps),
    );
  });
  await app.register(async (scope: Server) => {
    scope.addHook('onRequest', requireAdmin('operator'));
    scope.post(`${path}/:id/replay`, ofOne, async (request) =>
      replayParked(deps, request.params.id, actingAdmin(request)),
    );
    scope.post(
      `${path}/replay-all`,
      {
        schema: {
          body: ReplayAllRequest,
          response: {
            200: ReplayAllResult,
            400: ErrorBody,
            404: ErrorBody,
            503: ErrorBody,
            ...refusals,
          },
        },
      },
      async (request) => replayAllParked(deps, request.body, actingAdmin(request), replayAllMs),
    );
  });
  await app.register(async (scope: Server) => {
    scope.addHook('onRequest', requireAdmin('owner'));
    scope.post(`${path}/:id/discard`, ofOne, async (request) =>
      discardParked(deps, request.params.id, actingAdmin(request)),
    );
  });
}

async function listParked<T>({ db, sources }: ParkedDeps<T>): Promise<ParkedItems> {
  const lists = await Promise.all(
    sources.map(async (source) => {
      const [entries, total] = await Promise.all([
        source.list(db, { limit: shownOfAService }),
        source.count(db, {}),
      ]);
      const items = entries.map(({ key, parked_at, error, ...rest }) => ({
        ...rest,
        id: `${source.kind}.${key}`,
        kind: source.kind,
        parked_at: parked_at.toISOString(),
        error: redact(error),
      }));
      return { items, total };
    }),
  );
  const items = lists
    .flatMap((one) => one.items)
    .toSorted((a, b) => a.parked_at.localeCompare(b.parked_at))
    .slice(0, shownOfAService);
  return { total: lists.reduce((sum, one) => sum + one.total, 0), items };
}
