import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@daylift/database/create-database';
import { createTestDatabase } from '@daylift/testing/test-database';
import { expect, it } from 'vitest';

const migration = `import { word } from '../library/word.ts';
export async function up(db) {
  await db.schema.createTable('words').addColumn('word', 'text').execute();
  await db.insertInto('words').values({ word }).execute();
}
`;

/** Returns the contents of a database created from one migration and a one-word library. */
async function storedWords(word: string): Promise<{ word: string }[]> {
  const root = await mkdtemp(join(tmpdir(), 'daylift-library-'));
  const folder = join(root, 'migrations');
  await mkdir(folder);
  await mkdir(join(root, 'library'));
  await writeFile(join(folder, '001_store_word.ts'), migration);
  await writeFile(join(root, 'library/word.ts'), `export const word = '${word}';\n`);
  const database = await createTestDatabase({ schema: 'library_words', folder });
  const db = createDatabase<{ words: { word: string } }>({
    url: database.url,
    name: 'library-words-test',
    onError: () => undefined,
  });
  try {
    return await db.selectFrom('words').selectAll().execute();
  } finally {
    await db.destroy();
    await database.drop();
    await rm(root, { recursive: true });
  }
}

it('a changed library reaches test databases', async () => {
  expect(await storedWords('first')).toEqual([{ word: 'first' }]);
  expect(await storedWords('second')).toEqual([{ word: 'second' }]);
});
