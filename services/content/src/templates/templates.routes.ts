import { Template, TemplateList } from '@daylift/contracts/content.http';
import { ErrorBody } from '@daylift/contracts/error';
import { IdParams } from '@daylift/contracts/fields';
import {
  CreateTemplateRequest,
  TemplateQuery,
  UpdateTemplateRequest,
} from '@daylift/contracts/library.http';
import { actingAdmin } from '@daylift/server/acting-admin';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin } from '@daylift/server/identity';
import { Type } from 'typebox';
import type { ContentDeps } from '../deps.ts';
import { createTemplate, deleteTemplate, updateTemplate } from './templates.actions.ts';
import { listTemplates } from './templates.repository.ts';

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody };

/** Reading the library is every admin's. */
export async function templateListRoutes(
  app: Server,
  { db }: Pick<ContentDeps, 'db'>,
): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get(
    '/admin/templates',
    { schema: { querystring: TemplateQuery, response: { 200: TemplateList, ...refusals } } },
    async (request, reply) => {
      const { rows, total } = await listTemplates(db, request.query);
      reply.header('x-total-count', total);
      return rows;
    },
  );
}

export async function templateRoutes(app: Server, deps: ContentDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('operator'));
  app.post(
    '/admin/templates',
    { schema: { body: CreateTemplateRequest, response: { 201: Template, ...refusals } } },
    async (request, reply) => {
      reply.code(201);
      return createTemplate(deps, request.body, actingAdmin(request));
    },
  );
  app.put(
    '/admin/templates/:id',
    {
      schema: {
        params: IdParams,
        body: UpdateTemplateRequest,
        response: { 200: Template, ...refusals, 404: ErrorBody, 409: ErrorBody },
      },
    },
    (request) => updateTemplate(deps, request.params.id, request.body, actingAdmin(request)),
  );
  app.delete(
    '/admin/templates/:id',
    {
      schema: { params: IdParams, response: { 204: Type.Null(), ...refusals, 404: ErrorBody } },
    },
    async (request, reply) => {
      await deleteTemplate(deps, request.params.id, actingAdmin(request));
      reply.code(204);
      return null;
    },
  );
}
