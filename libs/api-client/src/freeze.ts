import type {
  FreezeRequest,
  FreezeState,
  LiftPreview,
  LiftRequest,
  TryProviderResult,
} from '@daylift/contracts/freeze.http';
import type { Client } from './request.ts';

export const createFreezeApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  read: (signal?: AbortSignal) => call<FreezeState>('GET', '/admin/freeze', { signal }),
  freeze: (body: FreezeRequest) => call<FreezeState>('POST', '/admin/freeze', { body }),
  previewLift: (signal?: AbortSignal) =>
    call<LiftPreview>('GET', '/admin/freeze/lift-preview', { signal }),
  lift: (body: LiftRequest) => call<FreezeState>('POST', '/admin/freeze/lift', { body }),
  tryProvider: () => call<TryProviderResult>('POST', '/admin/send-pause/try', { body: {} }),
});
