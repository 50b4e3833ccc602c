import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs a package that only one command needs, from its own lock file beside this one, and returns its folder.
 * `npm start` installs none of them.
 */
export function installOnDemand(name: 'lighthouse' | 'testcontainers'): string {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const marker = join(folder, 'node_modules/.daylift-installed');
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== lock) {
    console.log(`Installing ${name} (once) ...`);
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: 'inherit',
    });
    writeFileSync(marker, lock);
  }
  return join(folder, 'node_modules', name);
}
