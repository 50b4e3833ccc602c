import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { compressFolder } from './compress.ts';

const folder = mkdtempSync(join(tmpdir(), 'daylift-compress-'));
afterEach(() => rmSync(folder, { recursive: true }));

test('each file that gets smaller has compressed copies with the same content', () => {
  const code = 'const morning = 1;\n'.repeat(500);
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'app.js'), code);
  writeFileSync(join(folder, 'assets', 'font.woff2'), Buffer.alloc(5_000, 'font'));
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  compressFolder(folder);
  expect(readdirSync(folder)).toEqual(['assets', 'icon.svg']);
  const assets = join(folder, 'assets');
  expect(readdirSync(assets)).toEqual(['app.js', 'app.js.br', 'app.js.gz', 'font.woff2']);
  const copy = (ending: string) => readFileSync(join(assets, `app.js.${ending}`));
  expect(brotliDecompressSync(copy('br')).toString()).toBe(code);
  expect(gunzipSync(copy('gz')).toString()).toBe(code);
});
