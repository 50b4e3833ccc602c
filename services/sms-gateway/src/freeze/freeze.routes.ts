import { ErrorBody } from '@daylift/contracts/error';
import {
  FreezeRequest,
  FreezeState,
  LiftPreview,
  LiftRequest,
} from '@daylift/contracts/freeze.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import { bodyOrQuery } from '@daylift/server/body-or-query';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { freezeSending, liftFreeze, readFreeze } from './freeze.actions.ts';
import { previewLift } from './preview-lift.ts';

const refusals = { 401: ErrorBody, 403: ErrorBody };

export async function registerFreeze(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get('/admin/freeze', { schema: { response: { 200: FreezeState, ...refusals } } }, () =>
    readFreeze(deps),
  );
  app.get(
    '/admin/freeze/lift-preview',
    { schema: { response: { 200: LiftPreview, ...refusals } } },
    () => previewLift(deps),
  );
}

export async function registerFreezeForOperators(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    '/admin/freeze',
    {
      // Also without a body: whoever is in a hurry gives no reason.
      preValidation: bodyOrQuery,
      schema: { body: FreezeRequest, response: { 200: FreezeState, 400: ErrorBody, ...refusals } },
    },
    (request) => freezeSending(deps, request.body.reason?.trim() || null, actingAdmin(request)),
  );
  app.post(
    '/admin/freeze/lift',
    {
      schema: {
        body: LiftRequest,
        response: { 200: FreezeState, 400: ErrorBody, 409: ErrorBody, ...refusals },
      },
    },
    (request) => liftFreeze(deps, request.body, actingAdmin(request)),
  );
}
