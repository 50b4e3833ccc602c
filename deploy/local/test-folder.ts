import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const neededBytes = 4 * 1024 ** 3;

/** Returns all folders that may have data of tests. */
export const testFolders = (): string[] => [tmpdir(), memory].filter((one) => existsSync(one));

/**
 * Returns the folder for data of tests: in memory if it has room, because ext4 takes long to create files after many
 * were deleted, as by dropped databases.
 */
export function chooseTestFolder(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= neededBytes ? memory : tmpdir();
}
