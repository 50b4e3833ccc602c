import { statfsSync } from 'node:fs';
import type { Print } from './console.ts';
import { LauncherError } from './failure.ts';

const megabyte = 1024 * 1024;
const neededToStartMb = 300;
const neededToRunMb = 60;
const checkEveryMs = 10_000;

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

/** Reports once when the disk is almost full, and once when it no longer is. Returns a function that stops watching. */
export function watchFreeSpace(
  folders: string[],
  print: Print,
  everyMs = checkEveryMs,
): () => void {
  const full = new Set<string>();
  const look = (folder: string): void => {
    const free = freeMb(folder);
    if (free < neededToRunMb && !full.has(folder)) {
      full.add(folder);
      print(
        `The disk of ${folder} is full (${free} MB are left). Free some space: work then continues, and nothing is lost.`,
      );
    } else if (free >= neededToRunMb && full.delete(folder)) {
      print(`The disk of ${folder} has enough space again.`);
    }
  };
  const timer = setInterval(() => folders.forEach(look), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
