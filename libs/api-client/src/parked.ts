import type {
  Parked,
  ParkedOutcome,
  ParkingService,
  ReplayAllRequest,
  ReplayAllResult,
} from '@daylift/contracts/parked.http';
import type { Client } from './request.ts';

const pathOf = (service: ParkingService, id: string) =>
  `/admin/parked/${service}/${encodeURIComponent(id)}`;

/** What the services gave up after some tries, for operators. */
export const createAdminParkedApi = ({ callPath: call }: Client) => ({
  list: (signal?: AbortSignal) => call<Parked>('GET', '/admin/parked', { signal }),
  replay: (service: ParkingService, id: string) =>
    call<ParkedOutcome>('POST', `${pathOf(service, id)}/replay`),
  replayAll: (service: ParkingService, body: ReplayAllRequest) =>
    call<ReplayAllResult>('POST', `/admin/parked/${service}/replay-all`, { body }),
  discard: (service: ParkingService, id: string) =>
    call<ParkedOutcome>('POST', `${pathOf(service, id)}/discard`),
});
