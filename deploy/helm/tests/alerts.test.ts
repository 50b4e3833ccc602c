import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type AlertCase, alertCases } from './alert-cases.ts';
import { type KubeObject, ofKind, render, valuesFile } from './helm.ts';

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: { summary: string; runbook_url: string };
}

/** Set by `npm test` if available. */
const promtool = process.env.PROMTOOL;
const [rules] = ofKind(render(...valuesFile('production')), 'PrometheusRule') as [KubeObject];
const alerts: Rule[] = rules.spec.groups.flatMap((group: KubeObject) => group.rules);

const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'rules.yaml'), JSON.stringify(rules.spec));

function expected(alert: Rule, { fires }: AlertCase): object[] {
  if (fires === null) return [];
  return [
    {
      exp_labels: { ...alert.labels, ...fires.labels },
      exp_annotations: {
        ...alert.annotations,
        summary: fires.summary ?? alert.annotations.summary,
      },
    },
  ];
}

/** Returns promtool's failures. */
function judge(alert: Rule, one: AlertCase): string {
  const file = join(folder, 'case.yaml');
  const test = {
    interval: '1m',
    input_series: Object.entries(one.series).map(([series, values]) => ({ series, values })),
    alert_rule_test: [
      { eval_time: `${one.at}m`, alertname: alert.alert, exp_alerts: expected(alert, one) },
    ],
  };
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [test] }),
  );
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', file], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

it("each alert has a case in which it fires and one in which it doesn't", () => {
  expect(Object.keys(alertCases).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  for (const [name, cases] of Object.entries(alertCases)) {
    expect(
      cases.some(({ fires }) => fires !== null),
      name,
    ).toBe(true);
    expect(
      cases.some(({ fires }) => fires === null),
      name,
    ).toBe(true);
  }
});

it('each alert has a section in the handbook', () => {
  const handbook = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  for (const { alert, annotations } of alerts) {
    const anchor = annotations.runbook_url.split('#')[1];
    expect(handbook, alert).toContain(`<a id="${anchor}"></a>**${alert}.**`);
  }
});

describe.each(alerts.map((alert) => ({ name: alert.alert, alert })))('$name', ({ alert }) => {
  for (const one of alertCases[alert.alert] ?? []) {
    it(`${one.fires === null ? 'is silent' : 'fires'} when ${one.when}`, (context) => {
      if (promtool === undefined) context.skip('there is no promtool here, which evaluates rules');
      expect(judge(alert, one)).toBe('');
    });
  }
});
