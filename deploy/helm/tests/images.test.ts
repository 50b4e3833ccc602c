import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { repoRoot } from '../../local/layout.ts';
import { temporaryFolder } from '../../local/test/temporary-folder.ts';
import { podsOf, render, set } from './helm.ts';

const dockerfile = (name: string): string =>
  readFileSync(join(repoRoot, 'deploy/docker', `${name}.Dockerfile`), 'utf8');
const pods = podsOf(render(...set('sandbox.enabled=true')));
const services = readdirSync(join(repoRoot, 'services')).filter((name) => name !== 'gateway');

it('files that a pod runs are in the repository and in its image', () => {
  for (const { name, spec } of pods.filter((pod) => pod.name !== 'daylift-test')) {
    const [{ args, image }] = spec.containers;
    expect(existsSync(join(repoRoot, args[0])), `${name}: ${args[0]}`).toBe(true);
    expect(args[0]).toContain(`services/${/\/([a-z-]+):/.exec(image)?.[1]}/src/`);
  }
});

it('images and pods use the same user', () => {
  for (const name of ['service', 'gateway']) expect(dockerfile(name)).toContain('USER 10001:10001');
  for (const { spec } of pods)
    expect(spec.securityContext).toMatchObject({ runAsUser: 10001, runAsGroup: 10001 });
});

it.each(services)('the shared modules of the images match those of %s', (service) => {
  expect(dockerfile('service')).toMatch(new RegExp(`--workspace=services/${service}\\s`));
});

it.each(['service', 'gateway'])('the image of %s contains no shell', (name) => {
  const last =
    dockerfile(name)
      .split(/^FROM /m)
      .at(-1) ?? '';
  expect(last).toMatch(/^scratch\n/);
  expect(last.match(/^RUN (?!.*\["node", )/gm)).toBeNull();
});

it('a process restarts each time one of its sources is replaced', async () => {
  const folder = temporaryFolder();
  for (const name of ['libs', 'services/one/src'])
    mkdirSync(join(folder, name), { recursive: true });
  const entry = join(folder, 'services/one/src/main.mjs');
  const replace = (word: string) => {
    writeFileSync(
      `${folder}/new`,
      `for (const signal of ['SIGINT', 'SIGTERM'])
        process.on(signal, () => process.exit(console.log(signal)));
      console.log('${word}');
      setTimeout(() => {}, 60000);`,
    );
    renameSync(`${folder}/new`, entry);
  };
  replace('first');
  const watcher = spawn(process.execPath, [join(repoRoot, 'deploy/docker/watch.mjs'), entry], {
    cwd: folder,
  });
  onTestFinished(() => void watcher.kill('SIGKILL'));
  let output = '';
  watcher.stdout.on('data', (data) => {
    output += data;
  });
  for (const word of ['first', 'second', 'third']) {
    if (word !== 'first') replace(word);
    await vi.waitFor(() => expect(output.trim().split('\n').at(-1)).toBe(word), 20_000);
  }
  const ended = new Promise((resolve) => watcher.once('exit', resolve));
  watcher.kill('SIGTERM');
  await ended;
  expect(output.trim().split('\n')).toEqual([
    ...['first', 'SIGINT', 'second', 'SIGINT', 'third', 'SIGTERM'],
  ]);
});
