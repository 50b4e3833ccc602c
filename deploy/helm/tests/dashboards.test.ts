import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type KubeObject, ofKind, render, set, valuesFile } from './helm.ts';

interface Panel {
  id: number;
  title: string;
  targets: { expr: string }[];
}

const objects = render(
  ...valuesFile('production'),
  ...set('monitoring.dashboards.enabled=true', 'monitoring.rules.enabled=true'),
);
const dashboards = ofKind(objects, 'ConfigMap')
  .filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1')
  .map(
    ({ data }) =>
      JSON.parse(Object.values<string>(data)[0] ?? '') as { uid: string; panels: Panel[] },
  );
const panels = dashboards.flatMap((one) => one.panels);
const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

const alerts = ofKind(objects, 'PrometheusRule').flatMap(({ spec }) =>
  spec.groups.flatMap((group: KubeObject) => group.rules),
);

const folder = mkdtempSync(join(tmpdir(), 'dashboards-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Metrics that our processes export, from their sources. */
const root = join(import.meta.dirname, '../../..');
const exported = new Set(
  globSync('{libs,services}/*/src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      return [
        ...[...source.matchAll(/name: '([a-z]+(?:_[a-z]+)+)'/g)].map(([, name]) => name),
        ...[...source.matchAll(/counter\(\s*'([a-z_]+)'/g)].map(([, name]) => name),
      ];
    }),
);
/** Metrics from Node, Kubernetes, cert-manager and probes. */
const others = /^(up$|process_|nodejs_|kube_|certmanager_|probe_)/;

it('every metric used by an alert or a dashboard is exported', () => {
  const queried = [...shown, ...alerts.map(({ expr }: { expr: string }) => expr)].flatMap((expr) =>
    [...expr.matchAll(/([a-z0-9_]+)\{/g)].map(([, name = '']) => name),
  );
  expect(queried.length).toBeGreaterThan(50);
  for (const name of new Set(queried)) {
    if (others.test(name)) continue;
    expect(exported, name).toContain(name.replace(/_(bucket|count|sum)$/, ''));
  }
});

it('there is a dashboard for texts and one for services, without overlapping panels', () => {
  expect(dashboards.map(({ uid }) => uid).toSorted()).toEqual(['daylift-job', 'daylift-services']);
  for (const one of dashboards) {
    expect(new Set(one.panels.map(({ id }) => id)).size).toBe(one.panels.length);
    expect(new Set(one.panels.map(({ title }) => title)).size).toBe(one.panels.length);
  }
});

it("Prometheus can parse the panels' queries", (context) => {
  const promtool = process.env.PROMTOOL;
  if (promtool === undefined) context.skip('there is no promtool here, which reads queries');
  const file = join(folder, 'rules.yaml');
  const rules = shown.map((expr, index) => ({
    record: `panel:${index}`,
    expr: expr.replaceAll(/\$(namespace|process)/g, 'x'),
  }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'rules', file], {
    encoding: 'utf8',
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
});
