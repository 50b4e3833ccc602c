import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';
import { temporaryFolder } from './test/temporary-folder.ts';

test('a log never exceeds twice its limit and keeps the newest lines', () => {
  const path = join(temporaryFolder(), 'a.log');
  const log = openLogFile(path, 1000);
  for (let line = 0; line < 500; line += 1) log.write(`line ${line}\n`);
  log.close();
  expect(statSync(path).size + statSync(`${path}.1`).size).toBeLessThan(2100);
  expect(readFileSync(path, 'utf8')).toContain('line 499\n');
});

test('a closed log accepts no more lines and harms no other file', () => {
  const path = join(temporaryFolder(), 'a.log');
  const log = openLogFile(path);
  log.write('kept\n');
  log.close();
  log.write('late\n');
  expect(readFileSync(path, 'utf8')).toBe('kept\n');
});
