import { type FileHandle, open } from 'node:fs/promises';

/** Appends lines to one file; many lines share one write and one fdatasync. */
export interface JournalWriter {
  append(line: string): void;
  flush(): Promise<void>;
  truncate(): Promise<void>;
  close(): Promise<void>;
}

export async function createJournalWriter(path: string): Promise<JournalWriter> {
  const file = await open(path, 'a');
  let waiting: string[] = [];
  let running: Promise<void> | undefined;
  // After a failed write nothing more is acknowledged, because it could be lost.
  let broken: Error | undefined;

  async function drain(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = `${waiting.join('\n')}\n`;
        waiting = [];
        await writeAll(file, Buffer.from(batch));
        await file.datasync();
      }
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      // In the same turn as the last check of `waiting`: a later line starts a new drain.
      running = undefined;
    }
  }

  async function flush(): Promise<void> {
    if (broken !== undefined) throw broken;
    if (running === undefined && waiting.length === 0) return;
    // A running drain includes these lines in its next round.
    running ??= drain();
    await running;
  }

  return {
    append: (line) => {
      waiting.push(line);
      // In the next turn, to batch the changes of one request in one write.
      if (running === undefined && waiting.length === 1)
        setImmediate(() => flush().catch(() => undefined));
    },
    flush,
    truncate: async () => {
      await flush();
      waiting = [];
      await file.truncate(0);
      await file.datasync();
    },
    close: async () => {
      await flush();
      await file.close();
    },
  };
}

async function writeAll(file: FileHandle, buffer: Buffer): Promise<void> {
  for (let at = 0; at < buffer.length; ) {
    const { bytesWritten } = await file.write(buffer, at);
    at += bytesWritten;
  }
}
