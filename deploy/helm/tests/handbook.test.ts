import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { providerKeys } from '../../secrets/secret-files.ts';
import { chartFolder, podsOf, render, valuesFile } from './helm.ts';

const repo = join(import.meta.dirname, '../../..');
const handbook = readFileSync(join(repo, 'deploy/README.md'), 'utf8');
const commands = [...handbook.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('');
const values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8'));

it('every file in a command of the handbook exists', () => {
  const paths = commands.match(/(?<![\w/.-])(?:deploy|k8s)\/[\w./-]+/g) ?? [];
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(repo, path)))).toEqual([]);
});

it('every setting in the handbook is one of the chart', () => {
  const words = handbook.match(/(?<=[`\s])[a-zA-Z]+(?:\.[\w-]+)+(?=[`=])/g) ?? [];
  const settings = words.filter((word) => word.split('.', 1).some((block) => block in values));
  expect(settings.length).toBeGreaterThan(15);
  const has = (setting: string): boolean =>
    setting.split('.').reduce((found, key) => found?.[key], values) !== undefined;
  expect(settings.filter((setting) => !has(setting))).toEqual([]);
});

it('the Secrets in the handbook are those that pods use, live and with the sandbox', () => {
  const taken = (...args: string[]): string[] =>
    podsOf(render(...args))
      .flatMap(({ spec }) => spec.volumes)
      .flatMap(({ secret }) => secret?.secretName.replace('daylift-', '') ?? []);
  const created = [
    ...commands.matchAll(/^for (?:service|part) in (.*); do\n.*create secret/gm),
  ].map(([, list = '']) => list.split(' ').sort());
  const live = new Set(taken(...valuesFile('production')));
  const sandboxed = new Set([...taken(...valuesFile('dev')), 'postgres', 'nats']);
  expect(created).toEqual([[...sandboxed].sort(), [...live].sort()]);
});

it('an upgrade or rollback reverts manual changes, which otherwise make it fail on a real cluster', () => {
  const later = commands.match(/^helm (?:upgrade daylift|rollback) .*$/gm) ?? [];
  expect(later.length).toBeGreaterThan(2);
  expect(later.filter((command) => !command.includes(' --force-conflicts --wait'))).toEqual([]);
});

it('the variables exported in the handbook are those that --live requires', () => {
  const exported = /^export (STRIPE.*)$/m.exec(commands)?.[1]?.match(/[A-Z_]+(?==)/g);
  expect(exported).toEqual([...providerKeys]);
});
