import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { displayValue?: string; numericValue?: number }>;
}

/** Runs Lighthouse, installed in this folder, in the browser that listens on this debugging port. */
export async function runLighthouse(
  folder: string,
  url: string,
  port: number,
  categories: string[],
): Promise<Report> {
  const options = [
    `--port=${port}`,
    '--output=json',
    '--quiet',
    '--no-enable-error-reporting',
    `--only-categories=${categories.join()}`,
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'cli/index.js'), url, ...options],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Report;
}
