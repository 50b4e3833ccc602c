import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startContent, type TestContent } from '../../test/harness.ts';

let test: TestContent;
beforeAll(async () => {
  test = await startContent();
});
afterAll(() => test.stop());

describe('events', () => {
  it('are handled once if repeated; counts of unknown messages are ignored', async () => {
    const id = randomUUID();
    const counts = { total: 1, successful: 1, failed: 0, pending: 0 };
    const data = {
      batch_id: randomUUID(),
      version: 1,
      ...counts,
      by_message: [{ scheduled_message_id: randomUUID(), ...counts }],
    };
    expect(await test.hear('sms', 'sms.batch.progressed', data, id)).toBe('handled');
    expect(await test.hear('sms', 'sms.batch.progressed', data, id)).toBe('duplicate');
    expect(await test.db.selectFrom('message_progress').selectAll().execute()).toEqual([]);
    const empty = { ...data, by_message: [] };
    expect(await test.hear('sms', 'sms.batch.progressed', empty)).toBe('handled');
    await expect(test.hear('sms', 'sms.batch.progressed', { ...data, total: -1 })).rejects.toThrow(
      /does not match its schema/,
    );
  });
});
