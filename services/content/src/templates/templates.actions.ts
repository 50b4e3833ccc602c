import { randomUUID } from 'node:crypto';
import { contentEvents } from '@daylift/contracts/content.events';
import type { CreateTemplateRequest, UpdateTemplateRequest } from '@daylift/contracts/library.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { publish } from '@daylift/events/publish';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Trx } from '../database.ts';
import type { ContentDeps } from '../deps.ts';
import { BlankField, ChangedMeanwhile, UnknownTemplate } from '../errors.ts';
import { checkContent, checkTitle } from '../words/check-content.ts';
import { cleanTitle } from '../words/clean-text.ts';
import { duplicatesSince, lockDuplicates } from '../words/double-click.ts';
import {
  changeTemplate,
  findDuplicateTemplate,
  insertTemplate,
  lockTemplate,
  type StoredTemplate,
  type TemplateFields,
} from './templates.repository.ts';

type Deps = Pick<ContentDeps, 'db' | 'clock'>;

/** Adds a message to the library. A double click adds one. */
export async function createTemplate(
  { db, clock }: Deps,
  request: CreateTemplateRequest,
  by: ActingAdmin,
): Promise<StoredTemplate> {
  const now = clock.now();
  const fields = checkTemplate({ ...defaults, ...request });
  return db.transaction().execute(async (trx) => {
    await lockDuplicates(trx, 'template', fields.title, fields.content);
    const duplicate = await findDuplicateTemplate(trx, fields, duplicatesSince(now));
    if (duplicate !== undefined) return duplicate;
    const stored = await insertTemplate(trx, {
      ...fields,
      id: randomUUID(),
      version: 1,
      published_version: 1,
      created_at: now,
      deleted_at: null,
    });
    await publishChanged(trx, stored, now);
    await record(trx, by, 'template.created', stored, { is_active: stored.is_active }, now);
    return stored;
  });
}

const defaults = {
  category: 'motivational',
  frequency: 'daily' as const,
  scheduled_time: null,
  tags: [],
  is_active: true,
};

/** Changes a library message. Texts already sent keep the old content. */
export async function updateTemplate(
  { db, clock }: Deps,
  id: string,
  { version, ...request }: UpdateTemplateRequest,
  by: ActingAdmin,
): Promise<StoredTemplate> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const before = await lockTemplate(trx, id);
    if (before === undefined) throw new UnknownTemplate();
    const fields = checkTemplate({ ...fieldsOf(before), ...request });
    const names = Object.keys(fields) as (keyof TemplateFields)[];
    const changed = names.filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(fields[name]),
    );
    if (changed.length === 0) return before;
    if (before.version !== version) throw new ChangedMeanwhile();
    const stored = await changeTemplate(trx, id, fields);
    await publishChanged(trx, stored, now);
    const switched = changed.includes('is_active') ? { is_active: stored.is_active } : {};
    await record(trx, by, 'template.changed', stored, { changed, ...switched }, now);
    return stored;
  });
}

/** Removes a message from the library, keeping the row for the history. */
export async function deleteTemplate(
  { db, clock }: Deps,
  id: string,
  by: ActingAdmin,
): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    if ((await lockTemplate(trx, id)) === undefined) throw new UnknownTemplate();
    const stored = await changeTemplate(trx, id, { is_active: false, deleted_at: now });
    await publishChanged(trx, stored, now);
    await record(trx, by, 'template.deleted', stored, {}, now);
  });
}

const fieldsOf = (template: StoredTemplate): TemplateFields => ({
  title: template.title,
  content: template.content,
  category: template.category,
  frequency: template.frequency,
  scheduled_time: template.scheduled_time,
  tags: template.tags,
  is_active: template.is_active,
});

function checkTemplate(fields: TemplateFields): TemplateFields {
  const category = cleanTitle(fields.category);
  if (category === '') throw new BlankField('category');
  const tags = fields.tags.map(cleanTitle).filter((tag) => tag !== '');
  return {
    ...fields,
    title: checkTitle(fields.title),
    content: checkContent(fields.content),
    category,
    tags: [...new Set(tags)],
  };
}

async function publishChanged(trx: Trx, template: StoredTemplate, now: Date): Promise<void> {
  const { id, version, content, category, is_active } = template;
  const data = { id, version, content, category, is_active };
  await publish(trx, contentEvents, 'content.template.changed', data, now);
}

const record = (
  trx: Trx,
  by: ActingAdmin,
  action: string,
  { id, title }: StoredTemplate,
  details: Record<string, unknown>,
  now: Date,
): Promise<void> =>
  publishAdminAction(
    trx,
    'content',
    by,
    { action, target: id, details: { title, ...details } },
    now,
  );
