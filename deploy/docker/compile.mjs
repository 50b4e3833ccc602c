// Fills Node's compile cache: starts each process of an image without settings, so it loads all sources and exits. Runs
// as the image's user, because its id is part of the cache key. Keeps the type stripper and its memory out of running
// processes.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const folder = `services/${process.env.SERVICE}/src`;
const entries = readdirSync(folder).filter((name) => /^(main|worker|migrate)\.ts$/.test(name));
for (const entry of entries) {
  const env = { ...process.env, PORT: 'none' };
  const { stderr } = spawnSync(process.execPath, [`${folder}/${entry}`], { env, encoding: 'utf8' });
  if (!stderr.includes('is missing') && !stderr.includes('must be'))
    throw new Error(`${entry}: ${stderr}`);
}
