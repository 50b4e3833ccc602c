import { randomUUID } from 'node:crypto';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Body, startContent, statuses, type TestContent } from '../../test/harness.ts';

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
});
afterAll(() => test.stop());
beforeEach(async () => {
  await test.db.deleteFrom('faqs').where('created_at', 'is not', null).execute();
  await test.db.deleteFrom('outbox').execute();
});

const create = (question = 'Is it warm?', answer = 'Write to {{support_email}}.') =>
  test.call('POST', '/admin/faqs', { question, answer });
const listed = async () => (await test.call<Body[]>('GET', '/admin/faqs')).body;
const read = async () => {
  const response = await test.app.inject('/faqs');
  return response.json() as { id: string; question: string; answer: string }[];
};
const adminActions = async () =>
  (await publishedEvents(test.db, 'content.admin.acted')).map((one) => (one.data as Body).action);

describe('GET /faqs', () => {
  it("returns the installation's wording, never a cached version", async () => {
    const response = await test.app.inject('/faqs');
    expect(response.headers['cache-control']).toBe('public, no-cache');
    const faqs = await read();
    expect(faqs.length).toBeGreaterThanOrEqual(8);
    const text = JSON.stringify(faqs);
    expect(text).not.toContain('{{');
    expect(text).toContain('support@daylift.test');
    expect(faqs[0]?.question).toMatch(/stop/i);
  });
});

describe('questions for operators', () => {
  it('are created at the end, with placeholders that visitors see filled in', async () => {
    const { status, body } = await create();
    expect([status, body.version]).toEqual([201, 1]);
    expect((await listed()).at(-1)).toEqual(body);
    expect(body.answer).toBe('Write to {{support_email}}.');
    expect((await read()).at(-1)).toEqual({
      id: body.id,
      question: 'Is it warm?',
      answer: 'Write to support@daylift.test.',
    });
  });

  it('are created once for ten clicks', async () => {
    const before = (await listed()).length;
    const responses = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(
      new Set(responses.map((response) => `${response.status} ${response.body.id}`)).size,
    ).toBe(1);
    expect(await listed()).toHaveLength(before + 1);
    expect(await adminActions()).toEqual(['faq.created']);
  });

  it('show changes to visitors immediately; one of two editors wins', async () => {
    const { body } = await create();
    const edit = (answer: string) =>
      test.call('PUT', `/admin/faqs/${body.id}`, { question: 'Is it?', answer, version: 1 });
    const responses = await Promise.all([edit('Yes.'), edit('No.')]);
    expect(responses.map((one) => one.status).toSorted()).toEqual([200, 409]);
    const won = responses.find((one) => one.status === 200)?.body;
    expect((await read()).at(-1)).toMatchObject({ question: 'Is it?', answer: won?.answer });
    expect((await edit(String(won?.answer))).body).toEqual(won);
    expect(await adminActions()).toEqual(['faq.created', 'faq.changed']);
  });

  it('are hidden from visitors once deleted', async () => {
    const { body } = await create();
    const remove = () => test.call('DELETE', `/admin/faqs/${body.id}`);
    const responses = await Promise.all([remove(), remove()]);
    expect(responses.map((one) => one.status).toSorted()).toEqual([204, 404]);
    expect((await read()).map((one) => one.id)).not.toContain(body.id);
    expect(await adminActions()).toEqual(['faq.created', 'faq.deleted']);
  });

  it('keep the chosen order, unless the list has changed', async () => {
    const ids = (await listed()).map((one) => one.id);
    const order = (wanted: string[]) => test.call('PUT', '/admin/faqs/order', { ids: wanted });
    const turned = ids.toReversed();
    expect((await order(turned)).status).toBe(200);
    expect((await order(turned)).status).toBe(200);
    expect((await read()).map((one) => one.id)).toEqual(turned);
    expect(await adminActions()).toEqual(['faqs.ordered']);
    const { body } = await create();
    const rejected = await order(ids);
    expect([rejected.status, rejected.body.code]).toEqual([409, 'OTHER_FAQS']);
    expect((await order([...ids.slice(1), ids[1] ?? '', body.id])).status).toBe(409);
    expect((await read()).map((one) => one.id)).toEqual([...turned, body.id]);
    await test.call('DELETE', `/admin/faqs/${body.id}`);
    expect((await order(ids)).status).toBe(200);
  });

  it.each([
    ['a blank question', { question: ' ', answer: 'x' }, /question/],
    ['no answer', { question: 'x' }, /answer/],
    ['another place', { question: 'x', answer: '{{first_name}}' }, /support_email/],
    ['a field too many', { question: 'x', answer: 'y', id: randomUUID() }, /id/],
  ])('reject %s', async (_name, payload, detail) => {
    const { status, body } = await test.call('POST', '/admin/faqs', payload);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
  });

  it('respond 404 if missing', async () => {
    const change = { question: 'x', answer: 'y', version: 1 };
    expect((await test.call('PUT', `/admin/faqs/${randomUUID()}`, change)).status).toBe(404);
  });

  it('are readable by every admin and editable by operators', async () => {
    const { body } = await create();
    const denied = { anonymous: 401, user: 403, viewer: 403 };
    const words = { question: 'a', answer: 'b' };
    const url = `/admin/faqs/${body.id}`;
    expect(await statuses(test, 'GET', '/admin/faqs')).toEqual({ ...denied, viewer: 200 });
    expect(await statuses(test, 'POST', '/admin/faqs', words)).toEqual(denied);
    expect(await statuses(test, 'PUT', url, { ...words, version: 1 })).toEqual(denied);
    expect(await statuses(test, 'PUT', '/admin/faqs/order', { ids: [] })).toEqual(denied);
    expect(await statuses(test, 'DELETE', url)).toEqual(denied);
  });
});
