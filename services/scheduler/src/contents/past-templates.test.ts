import { expect, test } from 'vitest';
import { aTemplate, subscribe } from '../../test/factories.ts';
import { openScheduler } from '../../test/harness.ts';
import { findReaders } from '../library-runway/library-runway.repository.ts';

test("a library text isn't repeated before all others, even once the month in which it was sent is dropped", async () => {
  const scheduler = await openScheduler();
  try {
    const library = ['One', 'Two', 'Three'];
    for (const content of library)
      await scheduler.receive('content.template.changed', aTemplate({ content }));
    const { user_id } = await subscribe(scheduler);
    const [deleted, deletedLater] = [await subscribe(scheduler), await subscribe(scheduler)];
    const remembered = () =>
      scheduler.db.selectFrom('past_templates').select('user_id').orderBy('user_id').execute();
    const sent = async () =>
      (await scheduler.texts())
        .filter((text) => text.user_id === user_id)
        .map(({ content }) => content);

    await scheduler.goTo('2027-03-06T14:00:00Z');
    await scheduler.receive('accounts.user.deleted', { user_id: deleted.user_id });
    await scheduler.goTo('2029-05-01T10:00:00Z');
    const dates = (await scheduler.dispatches(user_id)).map(({ local_date }) => local_date);
    expect(dates).not.toContain('2027-03-06');
    await scheduler.receive('accounts.user.deleted', { user_id: deletedLater.user_id });
    expect(await remembered()).toEqual([{ user_id }]);
    // The forecast of the library's runway counts the remembered text, too.
    expect(await findReaders(scheduler.db)).toMatchObject([{ texts: 2 }]);

    await scheduler.goTo('2029-05-01T14:00:00Z');
    await scheduler.goTo('2029-05-02T14:00:00Z');
    expect((await sent()).toSorted()).toEqual(library.toSorted());
    // All were sent, so the one of the dropped month is next.
    await scheduler.goTo('2029-05-03T14:00:00Z');
    expect((await sent()).at(-1)).toBe((await sent())[0]);
  } finally {
    await scheduler.close();
  }
}, 60_000);
