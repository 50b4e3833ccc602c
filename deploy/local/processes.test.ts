import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repoRoot } from './layout.ts';
import { entryOf, processNames } from './processes.ts';

// Images run the sources, most tests the bundles. Settings are read once every module has been loaded.
it.each(processNames)('%s loads from its sources and says which settings are missing', (name) => {
  const { status, stderr } = spawnSync(process.execPath, [entryOf(name)], {
    cwd: repoRoot,
    env: {},
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/The configuration is not usable\. .*: is missing/);
  expect(status).toBe(1);
});
