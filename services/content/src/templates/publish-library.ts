import type { Clock } from '@daylift/clock/clock';
import { contentEvents } from '@daylift/contracts/content.events';
import { publish } from '@daylift/events/publish';
import type { Db } from '../database.ts';
import { claimUnpublished } from './templates.repository.ts';

/**
 * Publishes templates stored by migrations, once, because migrations have no clock and can't publish. Runs at each
 * start.
 */
export async function publishLibrary(db: Db, clock: Clock): Promise<number> {
  let published = 0;
  for (;;) {
    const batch = await db.transaction().execute(async (trx) => {
      const templates = await claimUnpublished(trx, 50);
      for (const { id, version, content, category, is_active } of templates) {
        const data = { id, version, content, category, is_active };
        await publish(trx, contentEvents, 'content.template.changed', data, clock.now());
      }
      return templates.length;
    });
    published += batch;
    if (batch === 0) return published;
  }
}
