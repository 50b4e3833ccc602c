import { parkedEndpoints } from '@daylift/contracts/parked.api';
import type { ParkedItems, ParkingService } from '@daylift/contracts/parked.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { redact } from '@daylift/server/logger';
import { discardParked, type ParkedDeps, replayAllParked, replayParked } from './end-parked.ts';
import { measureParked } from './parked-metrics.ts';

const shownOfAService = 200;
/** Below the gateway's time limit. */
const replayAllMs = 15_000;

/** Failed events and jobs, the same in each service: the gateway reads, operators replay, owners discard. */
export function registerParked<T>(app: Server, service: ParkingService, deps: ParkedDeps<T>): void {
  measureParked(deps);
  // All services have the same endpoints, so the types of one serve for each.
  const name = service as 'content';
  const replay = `POST /admin/parked/${name}/:id/replay` as const;
  const replayAll = `POST /admin/parked/${name}/replay-all` as const;
  const discard = `POST /admin/parked/${name}/:id/discard` as const;
  implement(
    app,
    { service, endpoints: parkedEndpoints(name) },
    {
      'GET /internal/parked': () => listParked(deps),
      [replay]: (request) => replayParked(deps, request.params.id, actingAdmin(request)),
      [replayAll]: (request) =>
        replayAllParked(deps, request.body, actingAdmin(request), replayAllMs),
      [discard]: (request) => discardParked(deps, request.params.id, actingAdmin(request)),
    },
  );
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
