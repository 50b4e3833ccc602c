import { randomUUID } from 'node:crypto';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Body, startContent, statuses, type TestContent } from '../../test/harness.ts';
import { publishLibrary } from './publish-library.ts';

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
  await publishLibrary(test.db, test.clock);
});
afterAll(() => test.stop());
beforeEach(async () => {
  await test.db.deleteFrom('templates').where('created_at', 'is not', null).execute();
  await test.db.deleteFrom('outbox').execute();
});

const create = (change: object = {}) =>
  test.call('POST', '/admin/templates', { title: 'Steps', content: 'One step.', ...change });
const edit = (template: Body, change: object) =>
  test.call('PUT', `/admin/templates/${template.id}`, { version: template.version, ...change });
const published = async () =>
  (await publishedEvents(test.db, 'content.template.changed')).map((one) => one.data);
const adminActions = async () =>
  (await publishedEvents(test.db, 'content.admin.acted')).map((one) => one.data);
const titles = async (query: string) =>
  (await test.call<Body[]>('GET', `/admin/templates?${query}`)).body.map((one) => one.title);

describe('POST /admin/templates', () => {
  it('adds an active message with the defaults of the form, and publishes it', async () => {
    const { status, body } = await create({ content: ' One step, {{first_name}}. ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      version: 1,
      title: 'Steps',
      content: 'One step, {{first_name}}.',
      category: 'motivational',
      frequency: 'daily',
      scheduled_time: null,
      tags: [],
      is_active: true,
    });
    expect(await published()).toEqual([
      {
        id: body.id,
        version: 1,
        content: 'One step, {{first_name}}.',
        category: 'motivational',
        is_active: true,
      },
    ]);
    expect(await adminActions()).toMatchObject([{ action: 'template.created', target: body.id }]);
    expect(await publishLibrary(test.db, test.clock)).toBe(0);
  });

  it('adds one for ten clicks', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(
      new Set(responses.map((response) => `${response.status} ${response.body.id}`)).size,
    ).toBe(1);
    expect(await published()).toHaveLength(1);
  });

  it.each([
    ['no title', { title: undefined }, /title/],
    ['a blank content', { content: ' ' }, /content/],
    ['another place than the name', { content: '{{phone}}' }, /first_name/],
    ['a text of too many parts', { content: '\u{1f305}'.repeat(700) }, /at most 10/],
    ['an hour that is none', { scheduled_time: '25:00' }, /scheduled_time/],
    ['too many tags', { tags: Array(11).fill('x') }, /tags/],
    ['a field too many', { version: 3 }, /version/],
  ])('responds 400 to %s', async (_name, change, detail) => {
    const { status, body } = await create(change);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
    expect(await published()).toEqual([]);
  });
});

describe('PUT /admin/templates/:id', () => {
  it('turns a message on or off, and keeps the rest', async () => {
    const { body } = await create({ tags: ['calm', ' calm ', 'spring'] });
    const { body: off } = await edit(body, { is_active: false });
    expect(off).toEqual({ ...body, tags: ['calm', 'spring'], version: 2, is_active: false });
    expect((await edit(off, { is_active: true })).body).toMatchObject({
      version: 3,
      is_active: true,
    });
    expect((await published()).map((data) => (data as Body).is_active)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('accepts one of two editors, and is idempotent', async () => {
    const { body } = await create();
    const responses = await Promise.all([
      edit(body, { title: 'By Ada' }),
      edit(body, { title: 'By Bob' }),
    ]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 409]);
    const winner = responses.find((response) => response.status === 200)?.body ?? body;
    expect((await edit(body, { title: winner.title })).body).toEqual(winner);
    expect(await published()).toHaveLength(2);
  });

  it('responds 404 for a deleted one', async () => {
    const deleted = { id: randomUUID(), version: 1 } as unknown as Body;
    expect((await edit(deleted, { title: 'x' })).status).toBe(404);
  });
});

describe('DELETE /admin/templates/:id', () => {
  it('removes a message from the library, and keeps its history', async () => {
    const { body } = await create();
    const url = `/admin/templates/${body.id}`;
    const responses = await Promise.all([test.call('DELETE', url), test.call('DELETE', url)]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([204, 404]);
    expect((await published()).at(-1)).toMatchObject({ id: body.id, version: 2, is_active: false });
    expect(await titles('search=Steps')).toEqual([]);
    const stored = await test.db.selectFrom('templates').select('title').where('id', '=', body.id);
    expect(await stored.execute()).toEqual([{ title: 'Steps' }]);
    expect((await edit(body, { title: 'x' })).status).toBe(404);
    expect((await adminActions()).map((data) => (data as Body).action)).toEqual([
      'template.created',
      'template.deleted',
    ]);
  });
});

describe('the library list', () => {
  it('searches title, content and tags, including inactive ones', async () => {
    await create({ title: 'Zebra one', content: 'A quagga.', tags: ['stripes'] });
    await create({ title: 'Zebra two', content: 'An okapi.', is_active: false });
    expect(await titles('search=zebra')).toEqual(['Zebra one', 'Zebra two']);
    expect(await titles('search=QUAGGA')).toEqual(['Zebra one']);
    expect(await titles('search=stripes')).toEqual(['Zebra one']);
    expect(await titles('search=%25')).not.toContain('Zebra one');
    expect(await titles('search=zebra&status=inactive')).toEqual(['Zebra two']);
    expect(await titles('search=zebra&status=active')).toEqual(['Zebra one']);
    expect((await test.call('GET', '/admin/templates?search=zebra&limit=1')).total).toBe(2);
  });
});

it('changing the library is for operators', async () => {
  const { body } = await create();
  const denied = { anonymous: 401, user: 403, viewer: 403 };
  const words = { title: 'a', content: 'b' };
  expect(await statuses(test, 'POST', '/admin/templates', words)).toEqual(denied);
  const url = `/admin/templates/${body.id}`;
  expect(await statuses(test, 'PUT', url, { title: 'a', version: 1 })).toEqual(denied);
  expect(await statuses(test, 'DELETE', url)).toEqual(denied);
  expect(await published()).toHaveLength(1);
});
