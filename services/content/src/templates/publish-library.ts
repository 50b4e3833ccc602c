import type { Clock } from '@daylift/clock/clock';
import { contentEvents } from '@daylift/contracts/content.events';
import { publish } from '@daylift/events/publish';
import type { Kysely } from 'kysely';
import type { ContentDatabase } from '../database.ts';
import { takeUnpublished } from './templates.repository.ts';

/**
 * Tells of the templates that a migration stored, at each start: migrations have no clock and publish nothing. What was
 * told once is not told again.
 */
export async function publishLibrary(db: Kysely<ContentDatabase>, clock: Clock): Promise<number> {
  let told = 0;
  for (;;) {
    const batch = await db.transaction().execute(async (trx) => {
      const templates = await takeUnpublished(trx, 50);
      for (const { id, version, content, is_active } of templates) {
        const data = { id, version, content, is_active };
        await publish(trx, contentEvents, 'content.template.changed', data, clock.now());
      }
      return templates.length;
    });
    told += batch;
    if (batch === 0) return told;
  }
}
