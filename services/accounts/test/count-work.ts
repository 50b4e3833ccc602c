import type { KyselyPlugin } from 'kysely';
import type { Harness } from './harness.ts';

/** Runs a call and returns the work that determines its duration: statements, written rows and password hashes. */
export async function countWork(
  harness: Harness,
  call: () => Promise<unknown>,
): Promise<{ statements: string[]; written: number; hashes: number }> {
  const { db, hashing } = harness.deps;
  const work = { statements: [] as string[], written: 0, hashes: 0 };
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      work.statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => {
      work.written += Number(result.numAffectedRows ?? 0n);
      return result;
    },
  };
  harness.deps.db = db.withPlugin(counting);
  harness.deps.hashing = {
    ...hashing,
    verify: (password, encoded) => {
      work.hashes += 1;
      return hashing.verify(password, encoded);
    },
  };
  try {
    await call();
  } finally {
    Object.assign(harness.deps, { db, hashing });
  }
  return work;
}
