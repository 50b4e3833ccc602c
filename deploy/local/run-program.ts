import { type SpawnOptions, spawn } from 'node:child_process';

const keptCharacters = 6_000;

/** Runs a program, with optional input. Returns its exit code (null if a signal ended it) and its last output. */
export function runProgram(
  file: string,
  args: string[],
  { input, ...options }: SpawnOptions & { input?: string } = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const child = spawn(file, args, { ...options, stdio: [stdin, 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-keptCharacters);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: output.trim() }));
    child.stdin?.end(input);
  });
}
