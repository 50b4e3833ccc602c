import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repoRoot } from '../../local/layout.ts';
import { podsOf, render, set } from './helm.ts';

const dockerfile = (name: string): string =>
  readFileSync(join(repoRoot, 'deploy/docker', `${name}.Dockerfile`), 'utf8');
const pods = podsOf(render(...set('sandbox.enabled=true')));
const services = readdirSync(join(repoRoot, 'services')).filter((name) => name !== 'gateway');

it('what a pod runs is in the repository, and in the image that it names', () => {
  for (const { name, spec } of pods.filter((pod) => pod.name !== 'daylift-test')) {
    const [{ args, image }] = spec.containers;
    expect(existsSync(join(repoRoot, args[0])), `${name}: ${args[0]}`).toBe(true);
    expect(args[0]).toContain(`services/${/\/([a-z-]+):/.exec(image)?.[1]}/src/`);
  }
});

it('images and pods mean the same user', () => {
  for (const name of ['service', 'gateway']) expect(dockerfile(name)).toContain('USER 10001:10001');
  for (const { spec } of pods)
    expect(spec.securityContext).toMatchObject({ runAsUser: 10001, runAsGroup: 10001 });
});

it.each(services)('the shared modules of the images are also those of %s', (service) => {
  expect(dockerfile('service')).toMatch(new RegExp(`--workspace=services/${service}\\s`));
});

it.each(['service', 'gateway'])(
  'the image of %s has no shell, and needs none to be made',
  (name) => {
    const last =
      dockerfile(name)
        .split(/^FROM /m)
        .at(-1) ?? '';
    expect(last).toMatch(/^scratch\n/);
    expect(last.match(/^RUN (?!.*\["node", )/gm)).toBeNull();
  },
);
