import { type Kysely, sql } from 'kysely';
import { libraryId } from '../library/library-id.ts';
import { sequenceTexts } from '../library/sequence-texts.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table sequence_texts (
    id uuid primary key,
    version integer not null check (version >= 1),
    day integer not null unique check (day in (1, 7, 30, 100)),
    content text not null,
    is_active boolean not null
  )`.execute(db);
  for (const { day, content } of sequenceTexts)
    await sql`insert into sequence_texts values
      (${libraryId('sequence', `day ${day}`)}, 1, ${day}, ${content}, false)`.execute(db);
}
