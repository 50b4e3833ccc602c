import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processNames } from '../../local/processes.ts';
import { type KubeObject, named, number, ofKind, podsOf, render, set, valuesFile } from './helm.ts';

const production = render(...valuesFile('production'));
const sandboxed = render(...set('sandbox.enabled=true'));
const services = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];

it('no manifest contains a secret', () => {
  expect(ofKind([...production, ...sandboxed], 'Secret')).toEqual([]);
  const settings = JSON.stringify(ofKind([...production, ...sandboxed], 'ConfigMap'));
  expect(settings).not.toMatch(/PRIVATE KEY|sk_live|whsec_|:\/\/[^/" ]*:[^/" ]*@/);
});

it('the sandbox exists only when enabled', () => {
  const processes = (objects: KubeObject[]): string[] =>
    ofKind(objects, 'Deployment')
      .map(({ metadata }) => metadata.name.replace('daylift-', ''))
      .sort();
  expect(processes(sandboxed)).toEqual([...processNames].sort());
  expect(processes(production)).toEqual(processNames.filter((name) => name !== 'sandbox').sort());
  expect(JSON.stringify(production)).not.toContain('SANDBOX_URL');
});

it('pod selectors match a single workload', () => {
  const pods = ofKind(sandboxed, 'Deployment').map(({ metadata, spec }) => ({
    name: metadata.name,
    labels: spec.template.metadata.labels,
  }));
  const matching = (selector: Record<string, string>): string[] =>
    pods
      .filter(({ labels }) =>
        Object.entries(selector).every(([key, value]) => labels[key] === value),
      )
      .map(({ name }) => name);
  for (const { metadata, spec } of ofKind(sandboxed, 'Service'))
    expect(matching(spec.selector)).toEqual([metadata.name]);
  for (const kind of ['PodDisruptionBudget', 'Deployment'])
    for (const { metadata, spec } of ofKind(sandboxed, kind))
      expect(matching(spec.selector.matchLabels)).toEqual([metadata.name]);
});

it('everything that a pod references exists', () => {
  for (const { name, spec } of podsOf(sandboxed)) {
    if (spec.serviceAccountName) named(sandboxed, 'ServiceAccount', spec.serviceAccountName);
    for (const { configMap } of spec.volumes)
      if (configMap) named(sandboxed, 'ConfigMap', configMap.name);
    for (const { args } of spec.containers) expect(args, name).toHaveLength(1);
  }
});

describe('migrations', () => {
  const jobs = ofKind(production, 'Job').filter(({ metadata }) =>
    metadata.name.includes('migrate'),
  );
  const hookOf = ({ metadata }: KubeObject): string => metadata.annotations?.['helm.sh/hook'] ?? '';
  const weightOf = ({ metadata }: KubeObject): number =>
    Number(metadata.annotations?.['helm.sh/hook-weight'] ?? 0);

  it('are one Job per schema, before any pod of the new version starts', () => {
    expect(jobs.map(({ metadata }) => metadata.name)).toEqual(
      services.map((service) => `daylift-migrate-${service}`),
    );
    for (const job of jobs) {
      expect(hookOf(job)).toBe('pre-install,pre-upgrade');
      expect(job.spec.activeDeadlineSeconds).toBe(900);
    }
  });

  it('that remove something name the first migration of a version that no longer uses it', () => {
    const root = join(import.meta.dirname, '../../..');
    const removing = globSync('services/*/migrations/*.ts', { cwd: root }).filter((path) =>
      /drop ?(table|column)|rename ?(table|column|to)/i.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    );
    const marked = /_unused_since_\d{3}\.ts$/;
    // Older than the first release.
    const exempt = ['services/sms-gateway/migrations/022_cap_spend.ts'];
    expect(removing.filter((path) => !marked.test(path))).toEqual(exempt);
  });

  it('know only the login of their own schema', () => {
    for (const { metadata, spec } of jobs) {
      const [volume] = spec.template.spec.volumes;
      expect(volume.secret).toMatchObject({
        secretName: metadata.name.replace('migrate-', ''),
        items: [{ key: 'DATABASE_URL', path: 'DATABASE_URL' }],
      });
      expect(spec.template.spec.containers[0].envFrom).toBeUndefined();
    }
  });

  it('find their service account, policy and secret in place', () => {
    const earlier = [
      named(production, 'ServiceAccount', 'daylift-migrate'),
      named(production, 'NetworkPolicy', 'daylift-migrate'),
      ...ofKind(production, 'ExternalSecret'),
    ];
    expect(earlier).toHaveLength(2 + 6);
    for (const one of earlier) {
      expect(hookOf(one)).toBe('pre-install,pre-upgrade');
      expect(weightOf(one)).toBeLessThan(0);
    }
  });
});

describe('workers scale with the queue', () => {
  it('with KEDA by querying the database with an existing secret', () => {
    const { spec } = named(production, 'ScaledObject', 'daylift-sms-worker');
    expect(spec.triggers[0]).toMatchObject({
      type: 'postgresql',
      authenticationRef: { name: 'daylift-sms-worker' },
    });
    expect(
      named(production, 'TriggerAuthentication', 'daylift-sms-worker').spec.secretTargetRef,
    ).toEqual([{ parameter: 'connection', name: 'daylift-sms-gateway', key: 'DATABASE_URL' }]);
  });

  it('without KEDA by a metric', () => {
    const objects = render(...number, ...set('workloads.sms-worker.autoscaling.enabled=true'));
    const { spec } = named(objects, 'HorizontalPodAutoscaler', 'daylift-sms-worker');
    expect(spec.metrics[0].external.metric.name).toBe('sms_queue_depth');
  });
});

it('a changed setting restarts pods', () => {
  const sums = (...args: string[]): string[] =>
    ofKind(render(...number, ...args), 'Deployment').map(
      ({ spec }) => spec.template.metadata.annotations['checksum/settings'],
    );
  expect(sums()).toEqual(sums());
  expect(sums()).not.toEqual(sums(...set('sms.ratePerSecond=40')));
});

it('every alert links to its runbook', () => {
  const [rules] = ofKind(production, 'PrometheusRule');
  const alerts = rules?.spec.groups.flatMap((group: KubeObject) => group.rules);
  expect(alerts.length).toBeGreaterThan(0);
  for (const { alert, annotations, expr, labels } of alerts) {
    expect(annotations, alert).toMatchObject({
      summary: expect.any(String),
      runbook_url: expect.stringMatching(/^https:.+#/),
    });
    expect(labels.severity).toMatch(/^(page|ticket)$/);
    expect(expr).not.toMatch(/NAMESPACE|RELEASE|RUNBOOKS|SECRETS|ABSENT/);
  }
});

it('a missing service pages only if the chart collects its metrics', () => {
  const pages = (...args: string[]): string =>
    ofKind(render(...number, ...set('monitoring.rules.enabled=true'), ...args), 'PrometheusRule')
      .flatMap(({ spec }) => spec.groups.flatMap((group: KubeObject) => group.rules))
      .find(({ alert }) => alert === 'DayliftPartAway').expr;
  expect(pages(...set('monitoring.serviceMonitors.enabled=true'))).toContain('absent(');
  expect(pages().trim()).toMatch(/== 0$/);
});

it('the production ingress passes on imported files, which the gateway takes up to 4 MB', () => {
  for (const { metadata } of ofKind(production, 'Ingress'))
    expect(metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-body-size': '4m',
    });
});

it('helm test checks the main flow, only with the sandbox', () => {
  const walk = (objects: KubeObject[]): KubeObject =>
    named(objects, 'Job', 'daylift-test').spec.template.spec.containers[0];
  const names = (objects: KubeObject[]): string[] =>
    walk(objects).env.map(({ name }: { name: string }) => name);
  expect(names(sandboxed)).toContain('SANDBOX');
  expect(names(production)).not.toContain('SANDBOX');
});

it('helm test waits long enough for the first text, whatever time it runs', () => {
  const script = named(sandboxed, 'ConfigMap', 'daylift-test').data['main-job.mjs'];
  const [, hours] = /advance_hours: (\d+)/.exec(script) ?? [];
  const [, chosenHour] = /delivery_time: '(\d\d):00'/.exec(script) ?? [];
  // After a signup at midnight on a day of 25 hours.
  expect(Number(hours)).toBeGreaterThanOrEqual(25 + Number(chosenHour));
});
