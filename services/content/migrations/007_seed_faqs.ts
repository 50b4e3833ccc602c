import type { Kysely } from 'kysely';
import { libraryFaqs } from '../library/faqs.ts';
import { libraryId } from '../library/library-id.ts';
import type { ContentDatabase } from '../src/database.ts';

export async function up(db: Kysely<ContentDatabase>): Promise<void> {
  await db
    .insertInto('faqs')
    .values(
      libraryFaqs.map(({ question, answer }, index) => ({
        id: libraryId('faq', question),
        position: index + 1,
        question,
        answer,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
