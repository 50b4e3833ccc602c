import { countSegments } from '@daylift/delivery/segments';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { libraryFaqs } from '../../library/faqs.ts';
import { libraryMessages } from '../../library/messages.ts';
import { startContent, statuses, type TestContent } from '../../test/harness.ts';
import { publishLibrary } from './publish-library.ts';

/** Everyone quoted, with the year of death (the translator's if there is one). */
const died: Record<string, number> = {
  'Emily Dickinson': 1886,
  'Ralph Waldo Emerson': 1882,
  'Henry David Thoreau': 1862,
  'Marcus Aurelius': 1879,
  Epictetus: 1879,
  'Lao Tzu': 1897,
  'William Shakespeare': 1616,
  'Walt Whitman': 1892,
  'Alfred Tennyson': 1892,
  'Robert Browning': 1889,
  'H. W. Longfellow': 1882,
  'W. E. Henley': 1903,
  'John Keats': 1821,
  'Frederick Douglass': 1895,
  'Louisa May Alcott': 1888,
  'Julian of Norwich': 1416,
  'George Eliot': 1880,
  'Charlotte Bronte': 1855,
  'Charles Dickens': 1870,
  'Thomas Carlyle': 1881,
  'Samuel Johnson': 1784,
  'Percy Bysshe Shelley': 1822,
  'William Blake': 1827,
  'John Muir': 1914,
  'Robert Louis Stevenson': 1894,
};
const texts = libraryMessages.map((one) => one.content);
const quoted = libraryMessages.flatMap((one) => / - ([^-]+)$/.exec(one.content)?.[1] ?? []);

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
});
afterAll(() => test.stop());

describe('the library', () => {
  it('has at least 120 different messages', () => {
    expect(libraryMessages.length).toBeGreaterThanOrEqual(120);
    const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
    expect(new Set(libraryMessages.map((one) => lettersOf(one.content))).size).toBe(
      libraryMessages.length,
    );
    expect(new Set(libraryMessages.map((one) => one.title)).size).toBe(libraryMessages.length);
  });

  it.each(libraryMessages.map((one) => [one.title, one.content]))(
    '"%s" fits one text, even with a long name',
    (_title, content) => {
      const personal = content.replaceAll('{{first_name}}', 'N'.repeat(20));
      expect(personal).not.toMatch(/\{\{|\}\}/);
      expect(countSegments(personal)).toMatchObject({ encoding: 'GSM-7', parts: 1 });
    },
  );

  it('quotes only words in the public domain', () => {
    expect(quoted.length).toBeGreaterThan(0);
    for (const author of quoted)
      expect([author, (died[author] ?? 2027) < 1926]).toEqual([author, true]);
    const quotations = libraryMessages.filter((one) => one.content.startsWith('"'));
    expect(quotations).toHaveLength(quoted.length);
  });

  it('mentions no time of day', () => {
    const hours =
      /\b(mornings?|breakfast|lunch|noon|afternoons?|dinner|evenings?|nights?|tonight|overnight|coffee|dawn|sunrise|sunset|bedtime)\b/i;
    expect(texts.filter((text) => hours.test(text))).toEqual([]);
  });

  it('uses American spelling', () => {
    const british =
      /colour|favour|honour|neighbour|apologis|realis|practis|per cent|travell|centre|grey/i;
    const words = [...texts, JSON.stringify(libraryFaqs)];
    expect(words.filter((text) => british.test(text))).toEqual([]);
  });

  it('contains no uppercase word that is a reply keyword', () => {
    const keywords = /\b(STOP|STOPALL|UNSTOP|UNSUBSCRIBE|START|HELP|YES|PAUSE|RESUME)\b/;
    expect(texts.filter((text) => keywords.test(text))).toEqual([]);
  });

  it('is published once, for any number of processes and starts', async () => {
    const counts = await Promise.all([
      publishLibrary(test.db, test.clock),
      publishLibrary(test.db, test.clock),
    ]);
    expect(counts[0] + counts[1]).toBe(libraryMessages.length);
    expect(await publishLibrary(test.db, test.clock)).toBe(0);
    const events = await publishedEvents(test.db, 'content.template.changed');
    expect(events).toHaveLength(libraryMessages.length);
    expect(events.map((event) => (event.data as { content: string }).content).sort()).toEqual(
      libraryMessages.map((one) => one.content).sort(),
    );
  });
});

describe('GET /admin/templates', () => {
  it('pages through the library with the total', async () => {
    const response = await test.app.inject({
      url: '/admin/templates?limit=5&offset=1',
      headers: test.asAdmin('viewer'),
    });
    expect(response.headers['x-total-count']).toBe(String(libraryMessages.length));
    expect(response.json()).toHaveLength(5);
    expect(response.json()[0]).toMatchObject({ category: 'motivational', is_active: true });
  });

  it('is for admins', async () => {
    const statusByRole = await statuses(test, 'GET', '/admin/templates');
    expect(statusByRole).toEqual({ anonymous: 401, user: 403, viewer: 200 });
  });
});

describe('GET /internal/analytics/content', () => {
  const figures = async (url = '/internal/analytics/content') =>
    (
      await test.app.inject({
        url,
        headers: test.as({ kind: 'service', name: 'gateway' }),
      })
    ).json();

  it("shows today's message in the operators' time zone", async () => {
    const library = { active: libraryMessages.length, total: libraryMessages.length };
    const none = {
      date: '2027-03-06',
      exists: false,
      id: null,
      title: null,
      scheduled_time: null,
      is_sent: false,
    };
    const { body } = await test.schedule({ scheduled_date: '2027-03-07' });
    await test.schedule({ scheduled_date: '2027-03-07', category: 'announcement' });
    test.clock.set('2027-03-07T04:59:00Z');
    expect(await figures()).toEqual({
      scheduled_messages: { total: 2, pending: 2, todays_message: none },
      templates: library,
    });
    test.clock.set('2027-03-07T05:00:00Z');
    await test.hear('scheduler', 'scheduler.message.completed', {
      scheduled_message_id: body.id,
      completed_at: '2027-03-07T05:00:00Z',
    });
    expect((await figures()).scheduled_messages).toEqual({
      total: 2,
      pending: 1,
      todays_message: {
        date: '2027-03-07',
        exists: true,
        id: body.id,
        title: 'Spring',
        scheduled_time: '08:00',
        is_sent: true,
      },
    });
    expect(await figures('/internal/live')).toEqual(await figures());
  });

  it.each(['/internal/analytics/content', '/internal/live'])(
    '%s is for our services only',
    async (url) => {
      expect((await test.app.inject(url)).statusCode).toBe(401);
      const headers = test.asAdmin('owner');
      expect((await test.app.inject({ url, headers })).statusCode).toBe(403);
    },
  );
});
