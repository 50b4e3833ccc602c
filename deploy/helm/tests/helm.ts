import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const chartFolder = join(import.meta.dirname, '../daylift');

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on the kind, and the schemas check them.
  [field: string]: any;
}

/** Set by `npm test`, like KUBE_SCHEMAS. */
const helm = process.env.HELM ?? 'helm';

function run(args: string[]): { ok: boolean; out: string; words: string } {
  const { status, stdout, stderr, error } = spawnSync(helm, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  return { ok: status === 0, out: stdout, words: `${stdout}${stderr}` };
}

export const valuesFile = (name: 'dev' | 'production'): string[] => [
  '-f',
  join(chartFolder, `values-${name}.yaml`),
];
/** `set('a=b', 'c=d')`; a sending number is the minimum. */
export const set = (...settings: string[]): string[] => settings.flatMap((one) => ['--set', one]);
export const number = ['--set-string', 'sms.from=+18885550123'];

/** Returns every object that an installation would create, including hooks and tests. */
export function render(...args: string[]): KubeObject[] {
  const { ok, out, words } = run(['template', 'daylift', chartFolder, '-n', 'daylift', ...args]);
  if (!ok) throw new Error(words);
  return parseAllDocuments(out)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS() as KubeObject | null;
    })
    .filter((object) => object !== null);
}

/** Returns helm's error message; throws if the arguments are valid. */
export function refusal(...args: string[]): string {
  const { ok, words } = run(['template', 'daylift', chartFolder, '-n', 'daylift', ...args]);
  if (ok) throw new Error('It was taken.');
  return words;
}

/** Like `render`, with access to a cluster. Async, because the fake cluster runs in this process. */
export function renderOnCluster(kubeconfig: string, args: string[]): Promise<string> {
  const all = ['template', 'daylift', chartFolder, '-n', 'daylift', '--dry-run=server', ...args];
  return new Promise((resolve) => {
    execFile(
      helm,
      all,
      { env: { ...process.env, KUBECONFIG: kubeconfig }, maxBuffer: 64 * 1024 * 1024 },
      (_error, out, words) => resolve(`${out}${words}`),
    );
  });
}

export const lint = (...args: string[]) => run(['lint', '--strict', chartFolder, ...args]);

export const ofKind = (objects: KubeObject[], kind: string): KubeObject[] =>
  objects.filter((object) => object.kind === kind);

export function named(objects: KubeObject[], kind: string, name: string): KubeObject {
  const found = ofKind(objects, kind).find((object) => object.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

/** Returns all pod specs with the names of their owners. */
export const podsOf = (objects: KubeObject[]): { name: string; kind: string; spec: KubeObject }[] =>
  objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map(({ kind, metadata, spec }) => ({ kind, name: metadata.name, spec: spec.template.spec }));
