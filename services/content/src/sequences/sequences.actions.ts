import { contentEvents, type SequenceText } from '@daylift/contracts/content.events';
import type { UpdateSequenceTextRequest } from '@daylift/contracts/library.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import { publish } from '@daylift/events/publish';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { ContentDeps } from '../deps.ts';
import { ChangedMeanwhile, UnknownSequenceText } from '../errors.ts';
import { checkContent } from '../words/check-content.ts';
import { changeSequenceText, lockSequenceText } from './sequences.repository.ts';

/** Changes a sequence text, or turns it on or off. Texts already sent keep the old content. */
export async function updateSequenceText(
  { db, clock }: Pick<ContentDeps, 'db' | 'clock'>,
  id: string,
  { version, content: written, is_active }: UpdateSequenceTextRequest,
  by: ActingAdmin,
): Promise<SequenceText> {
  const now = clock.now();
  const content = checkContent(written);
  return db.transaction().execute(async (trx) => {
    const before = await lockSequenceText(trx, id);
    if (before === undefined) throw new UnknownSequenceText();
    if (before.content === content && before.is_active === is_active) return before;
    if (before.version !== version) throw new ChangedMeanwhile();
    const stored = await changeSequenceText(trx, id, { content, is_active });
    await publish(trx, contentEvents, 'content.sequence.changed', stored, now);
    const details = { day: stored.day, is_active };
    const action = { action: 'sequence.changed', target: id, details };
    await publishAdminAction(trx, 'content', by, action, now);
    return stored;
  });
}
