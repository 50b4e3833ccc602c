import type { Kysely } from 'kysely';
import { libraryId } from '../library/library-id.ts';
import { libraryMessages } from '../library/messages.ts';
import type { ContentDatabase } from '../src/database.ts';

export async function up(db: Kysely<ContentDatabase>): Promise<void> {
  await db
    .insertInto('templates')
    .values(
      libraryMessages.map(({ title, content }) => ({
        id: libraryId('template', title),
        version: 1,
        title,
        content,
        category: 'motivational',
        is_active: true,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
