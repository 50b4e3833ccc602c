import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

/** Fonts are compressed already; a file that fits one packet gains nothing. */
const worthIt = /\.(html|js|css|svg|json)$/;
const leastBytes = 1_024;

/**
 * Puts a brotli and a gzip copy beside each file of a build that gets smaller by it: the gateway sends whichever the
 * browser takes, so that this costs no request any time.
 */
export function compressFolder(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !worthIt.test(entry.name)) continue;
    const content = readFileSync(path);
    if (content.length < leastBytes) continue;
    const params = { [zlib.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
