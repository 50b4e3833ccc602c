// Starts each process of an image once without settings, as the user of later, whose number Node puts into the cache's name: it
// reads all of its sources, finds that it cannot run, and ends. What Node has compiled stays in the image, and the type
// stripper and its memory stay out of the process that runs.
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
