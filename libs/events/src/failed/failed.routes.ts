import { failedEndpoints } from '@daylift/contracts/failed.api';
import type { FailedItems, FailingService } from '@daylift/contracts/failed.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import { redact } from '@daylift/server/logger';
import { discardFailed, type FailedDeps, replayAllFailed, replayFailed } from './end-failed.ts';
import { measureFailed } from './failed-metrics.ts';

const maxPerService = 200;
/** Below the gateway's time limit. */
const replayAllMs = 15_000;

/** Failed events and jobs, the same in each service: the gateway reads, operators replay, owners discard. */
export function registerFailed<T>(app: Server, service: FailingService, deps: FailedDeps<T>): void {
  measureFailed(deps);
  // All services have the same endpoints, so the types of one serve for each.
  const name = service as 'content';
  const replay = `POST /admin/parked/${name}/:id/replay` as const;
  const replayAll = `POST /admin/parked/${name}/replay-all` as const;
  const discard = `POST /admin/parked/${name}/:id/discard` as const;
  implement(
    app,
    { service, endpoints: failedEndpoints(name) },
    {
      'GET /internal/parked': () => listFailed(deps),
      [replay]: (request) => replayFailed(deps, request.params.id, actingAdmin(request)),
      [replayAll]: (request) =>
        replayAllFailed(deps, request.body, actingAdmin(request), replayAllMs),
      [discard]: (request) => discardFailed(deps, request.params.id, actingAdmin(request)),
    },
  );
}

async function listFailed<T>({ db, sources }: FailedDeps<T>): Promise<FailedItems> {
  const lists = await Promise.all(
    sources.map(async (source) => {
      const [entries, total] = await Promise.all([
        source.list(db, { limit: maxPerService }),
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
    .slice(0, maxPerService);
  return { total: lists.reduce((sum, one) => sum + one.total, 0), items };
}
