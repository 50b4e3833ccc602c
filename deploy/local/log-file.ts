import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

export interface LogFile {
  path: string;
  write: (text: string) => void;
  close: () => void;
}

/**
 * Opens a log file with rotation: at the limit it becomes `<path>.1`. Write errors are ignored, so a full disk doesn't
 * stop the launcher.
 */
export function openLogFile(path: string, maxBytes = 5 * 1024 * 1024): LogFile {
  let file: number | null = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  const rotate = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    renameSync(path, `${path}.1`);
    file = openSync(path, 'a', 0o600);
    size = 0;
  };
  return {
    path,
    write: (text) => {
      try {
        if (file !== null && size > maxBytes) rotate();
        if (file !== null) size += writeSync(file, text);
      } catch {
        // The process matters more than its log.
      }
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
