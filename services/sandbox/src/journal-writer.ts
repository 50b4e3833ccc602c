import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type JournalWriter = Awaited<ReturnType<typeof createJournalWriter>>;

/** Appends lines to one file. Lines that arrive during a write share the next write and its fdatasync. */
export async function createJournalWriter(path: string) {
  const file = await open(path, 'a');
  /** The lines of the next write. */
  let waiting: string[] | undefined;
  /** The last step in order. After a failed one nothing more is acknowledged, because it could be lost. */
  let last: Promise<void> = Promise.resolve();

  function enqueue(step: () => Promise<void>): Promise<void> {
    last = last.then(step);
    // Reported by `flush`.
    last.catch(() => undefined);
    return last;
  }

  async function write(lines: string[]): Promise<void> {
    // One more turn, to include the changes of every request that has already arrived.
    await nextTurn();
    if (waiting === lines) waiting = undefined;
    await file.appendFile(`${lines.join('\n')}\n`);
    await file.datasync();
  }

  return {
    append: (line: string) => {
      if (waiting !== undefined) {
        waiting.push(line);
        return;
      }
      const lines = [line];
      waiting = lines;
      void enqueue(() => write(lines));
    },
    /** Resolves once every line appended so far is on the disk. */
    flush: () => last,
    truncate: () => {
      // Lines appended from here on are written after the truncation.
      waiting = undefined;
      return enqueue(async () => {
        await file.truncate(0);
        await file.datasync();
      });
    },
    close: () => enqueue(() => file.close()),
  };
}
