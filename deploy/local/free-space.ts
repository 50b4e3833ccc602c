import { statfsSync } from 'node:fs';
import { LauncherError } from './failure.ts';

const megabyte = 1024 * 1024;
const neededToStartMb = 300;

function freeMb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / megabyte);
}

/** Throws if the disk is almost full. */
export function checkFreeSpace(folder: string): void {
  const free = freeMb(folder);
  if (free >= neededToStartMb) return;
  throw new LauncherError(
    `The disk of ${folder} is almost full: ${free} MB are free, ${neededToStartMb} MB are needed. Free some space, or choose another folder: DATA_DIR=/some/folder npm start`,
  );
}
