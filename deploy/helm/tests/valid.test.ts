import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type KubeObject, lint, number, podsOf, render, valuesFile } from './helm.ts';
import { type KubeSchema, readKubeSchema } from './kube-schema.ts';
import { options } from './options.ts';

/** Folders of client-go by Kubernetes version; set by `npm test`. */
const folders = JSON.parse(process.env.KUBE_SCHEMAS ?? '{}') as Record<string, string>;
const schemas: Record<string, KubeSchema> = Object.fromEntries(
  Object.entries(folders).map(([version, folder]) => [version, readKubeSchema(folder)]),
);
/** Kinds of operators, which Kubernetes can't describe. */
const notKubernetes = new Set([
  'keda.sh/v1alpha1',
  'external-secrets.io/v1',
  'gateway.networking.k8s.io/v1',
  'monitoring.coreos.com/v1',
]);

const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;

it.each(Object.entries(options))('%s: every field is valid in Kubernetes', (_name, args) => {
  const objects = render(...args);
  expect(objects.length).toBeGreaterThan(30);
  expect(new Set(objects.map(nameOf)).size).toBe(objects.length);
  for (const [version, schema] of Object.entries(schemas)) {
    const faults = objects.flatMap((object) => {
      if (notKubernetes.has(object.apiVersion)) return [];
      return schema.faultsOf(object) ?? [`${nameOf(object)}: unknown in ${version}`];
    });
    expect(faults, `Kubernetes ${version}`).toEqual([]);
  }
});

const folder = join(import.meta.dirname, '../../../k8s/components');
const components = globSync('*/*.yaml', { cwd: folder })
  .filter((path) => !path.endsWith('kustomization.yaml'))
  .flatMap((path) =>
    parseAllDocuments(readFileSync(join(folder, path), 'utf8')).map(
      (document) => document.toJS() as KubeObject,
    ),
  );

it.each(Object.entries(schemas))(
  'the base of the chart: every field is valid in Kubernetes, %s',
  (_version, schema) => {
    expect(components.length).toBeGreaterThan(6);
    expect(components.flatMap((object) => schema.faultsOf(object) ?? [nameOf(object)])).toEqual([]);
  },
);

it.each(podsOf(components).map((pod) => [pod.name, pod.spec] as const))(
  'the base of the chart meets the pod security standard “restricted”: %s',
  (_name, spec) => {
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const container of spec.containers) {
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
    }
  },
);

it('the check detects a misspelled field and a wrong type', () => {
  const [schema] = Object.values(schemas);
  const [pod] = podsOf(render(...number));
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x', labels: { version: 1 } },
    spec: { replica: 1, template: { spec: { ...pod?.spec, hostname: true } } },
  } as unknown as KubeObject;
  expect(schema?.faultsOf(object)).toEqual([
    'Deployment x.metadata.labels.version: 1 is not string',
    'Deployment x.spec.replica: unknown',
    'Deployment x.spec.template.spec.hostname: true is not string',
  ]);
});

describe('helm lint finds nothing', () => {
  it.each([
    ['defaults', number],
    ['values-dev', valuesFile('dev')],
    ['values-production', valuesFile('production')],
  ])('%s', (_name, args) => {
    const { ok, words } = lint(...args);
    expect(ok, words).toBe(true);
  });
});
