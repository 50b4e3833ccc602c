export type Print = (line: string) => void;

/** Selects the log lines of a process that are worth printing to the terminal. */
export interface LineWatcher {
  feed: (text: string) => void;
  /** Returns the last lines, formatted, for a crash report. */
  lastLines: () => string[];
}

interface PinoLine {
  level?: string;
  msg?: string;
  err?: { message?: string; stack?: string };
}

const keptLines = 15;
const printedPerMinute = 6;
const printedLevels = new Set(['warn', 'error', 'fatal']);

function parsePino(line: string): PinoLine | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as PinoLine;
  } catch {
    return null;
  }
}

function readable(line: string, pino: PinoLine | null): string {
  if (!pino) return line;
  const detail = pino.err?.message && pino.err.message !== pino.msg ? `: ${pino.err.message}` : '';
  return `${pino.msg ?? ''}${detail}`;
}

/** Deduplicates lines and limits them per minute. */
function createGate(): (line: string) => 'print' | 'mention' | 'drop' {
  let windowStart = 0;
  let printed = 0;
  let seen = new Set<string>();
  return (line) => {
    if (performance.now() - windowStart > 60_000) {
      windowStart = performance.now();
      printed = 0;
      seen = new Set();
    }
    if (seen.has(line)) return 'drop';
    seen.add(line);
    printed += 1;
    if (printed === printedPerMinute) return 'mention';
    return printed < printedPerMinute ? 'print' : 'drop';
  };
}

export function watchLines(name: string, logPath: string, print: Print): LineWatcher {
  let rest = '';
  let last: string[] = [];
  const gate = createGate();
  const take = (line: string): void => {
    const pino = parsePino(line);
    const text = readable(line, pino).trim();
    if (!text) return;
    last = [...last, text].slice(-keptLines);
    if (!pino?.level || !printedLevels.has(pino.level)) return;
    const verdict = gate(text);
    if (verdict === 'print') print(`[${name}] ${text}`);
    if (verdict === 'mention') print(`[${name}] ${text} (more in ${logPath})`);
  };
  return {
    feed: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    lastLines: () => last,
  };
}
