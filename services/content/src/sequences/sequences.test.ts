import { randomUUID } from 'node:crypto';
import { contentEvents } from '@daylift/contracts/content.events';
import { countSegments } from '@daylift/delivery/segments';
import { publishedEvents } from '@daylift/testing/published';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Body, startContent, statuses, type TestContent } from '../../test/harness.ts';

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
});
afterAll(() => test.stop());
beforeEach(async () => {
  await test.db.deleteFrom('outbox').execute();
});

const list = async () => (await test.call<Body[]>('GET', '/admin/sequence-texts')).body;
const dayOne = async () => (await list())[0] as Body;
const edit = (text: Body, change: object) =>
  test.call('PUT', `/admin/sequence-texts/${text.id}`, {
    version: text.version,
    content: text.content,
    is_active: text.is_active,
    ...change,
  });
const published = async () =>
  (await publishedEvents(test.db, 'content.sequence.changed')).map((one) => one.data);

describe('sequence texts', () => {
  it('ship with the product, turned off, each within one plain text even with a long name', async () => {
    const texts = await list();
    expect(texts.map(({ day, is_active }) => [day, is_active])).toEqual([
      [1, false],
      [7, false],
      [30, false],
      [100, false],
    ]);
    for (const { content } of texts) {
      const longest = String(content).replaceAll('{{first_name}}', 'x'.repeat(20));
      expect(countSegments(longest)).toMatchObject({ encoding: 'GSM-7', parts: 1 });
    }
  });

  it('are changed by an operator, published and recorded', async () => {
    const before = await dayOne();
    const { status, body } = await edit(before, { content: ' Hello. ', is_active: true });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: before.id,
      version: Number(before.version) + 1,
      day: 1,
      content: 'Hello.',
      is_active: true,
    });
    expect(await published()).toEqual([body]);
    expect(Value.Check(contentEvents['content.sequence.changed'], (await published())[0])).toBe(
      true,
    );
    expect(
      (await publishedEvents(test.db, 'content.admin.acted')).map(({ data }) => data),
    ).toMatchObject([
      { action: 'sequence.changed', target: before.id, details: { day: 1, is_active: true } },
    ]);
  });

  it('accept one of two editors, and repeat a change without effect', async () => {
    const before = await dayOne();
    const responses = await Promise.all([
      edit(before, { content: 'By Ada' }),
      edit(before, { content: 'By Bob' }),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const current = await dayOne();
    expect((await edit(before, { content: current.content })).body).toEqual(current);
    expect(await published()).toHaveLength(1);
  });

  it.each([
    ['blank content', { content: ' ' }, /content/],
    ['an unknown placeholder', { content: '{{phone}}' }, /first_name/],
    ['no switch', { is_active: undefined }, /is_active/],
    ['another day', { day: 2 }, /day/],
  ])('reject %s', async (_what, change, detail) => {
    const { status, body } = await edit(await dayOne(), change);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
    expect(await published()).toEqual([]);
  });

  it('are read by viewers and changed by operators', async () => {
    const body = { version: 1, content: 'Hello.', is_active: true };
    const denied = { anonymous: 401, user: 403, viewer: 403 };
    const { id } = await dayOne();
    expect(await statuses(test, 'PUT', `/admin/sequence-texts/${id}`, body)).toEqual(denied);
    expect((await test.call('GET', '/admin/sequence-texts', undefined, 'viewer')).status).toBe(200);
    const unknown = `/admin/sequence-texts/${randomUUID()}`;
    expect((await test.call('PUT', unknown, body)).status).toBe(404);
  });
});
