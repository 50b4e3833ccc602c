import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Which folder of modules?');
const unread = /\.(map|md|markdown|d\.[cm]?ts|flow)$/;

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && unread.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
}
