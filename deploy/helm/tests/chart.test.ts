import { describe, expect, it } from 'vitest';
import { processNames } from '../../local/processes.ts';
import { type KubeObject, named, number, ofKind, podsOf, render, set, valuesFile } from './helm.ts';

const production = render(...valuesFile('production'));
const sandboxed = render(...set('sandbox.enabled=true'));
const services = ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway'];

describe('every pod', () => {
  const pods = podsOf([...production, ...sandboxed]);

  it.each(pods.map((pod) => [`${pod.kind} ${pod.name}`, pod] as const))(
    '%s is shut in',
    (_name, { spec }) => {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.securityContext.runAsUser).toBeGreaterThan(0);
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({
          requests: { memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    },
  );

  it('gets secrets as files, never in its environment', () => {
    for (const { name, spec } of pods) {
      for (const { env = [], envFrom = [] } of spec.containers) {
        expect(
          env.filter(({ valueFrom }: KubeObject) => valueFrom),
          name,
        ).toEqual([]);
        expect(
          envFrom.filter(({ secretRef }: KubeObject) => secretRef),
          name,
        ).toEqual([]);
      }
    }
  });
});

it('no manifest holds a secret', () => {
  expect(ofKind([...production, ...sandboxed], 'Secret')).toEqual([]);
  const settings = JSON.stringify(ofKind([...production, ...sandboxed], 'ConfigMap'));
  expect(settings).not.toMatch(/PRIVATE KEY|sk_live|whsec_|:\/\/[^/" ]*:[^/" ]*@/);
});

it('the sandbox is there only where it is asked for', () => {
  const processes = (objects: KubeObject[]): string[] =>
    ofKind(objects, 'Deployment')
      .map(({ metadata }) => metadata.name.replace('daylift-', ''))
      .sort();
  expect(processes(sandboxed)).toEqual([...processNames].sort());
  expect(processes(production)).toEqual(processNames.filter((name) => name !== 'sandbox').sort());
  expect(JSON.stringify(production)).not.toContain('SANDBOX_URL');
});

describe.each(ofKind(production, 'Deployment').map((one) => [one.metadata.name, one] as const))(
  '%s',
  (name, { spec }) => {
    const [container] = spec.template.spec.containers;

    it('is asked whether it starts, serves and lives; the last two look at nothing but the process', () => {
      expect(container.startupProbe.httpGet.path).toBe(
        /gateway$|billing/.test(name) && name !== 'daylift-sms-gateway' ? '/healthz' : '/readyz',
      );
      expect(container.readinessProbe.httpGet.path).toBe('/healthz');
      expect(container.livenessProbe.httpGet.path).toBe('/healthz');
      const patience =
        container.startupProbe.periodSeconds * container.startupProbe.failureThreshold;
      expect(patience).toBeGreaterThanOrEqual(300);
    });

    it('ends after the longest send, and no text is cut off', () => {
      const settings = named(production, 'ConfigMap', 'daylift').data;
      const waits = container.lifecycle.preStop.sleep.seconds;
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(waits + 20);
      expect(Number(settings.PROVIDER_TIMEOUT_MS)).toBeLessThan(20_000);
    });

    it('is replaced one at a time, the new one first', () => {
      expect(spec.strategy).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
      });
      expect(spec.template.spec.topologySpreadConstraints).toHaveLength(2);
    });

    it('has at least two pods, of which a drained node takes one', () => {
      expect(named(production, 'PodDisruptionBudget', name).spec.maxUnavailable).toBe(1);
      const scaled = [
        ...ofKind(production, 'HorizontalPodAutoscaler'),
        ...ofKind(production, 'ScaledObject'),
      ].filter((one) => one.spec.scaleTargetRef.name === name);
      expect(scaled).toHaveLength(1);
      expect(scaled[0]?.spec.minReplicas ?? scaled[0]?.spec.minReplicaCount).toBeGreaterThanOrEqual(
        2,
      );
      expect(spec.replicas).toBeUndefined();
    });
  },
);

it('what selects pods selects those of one workload', () => {
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

it('whatever a pod names is there', () => {
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

  it('are one Job for each schema, before anything of the new version starts', () => {
    expect(jobs.map(({ metadata }) => metadata.name)).toEqual(
      services.map((service) => `daylift-migrate-${service}`),
    );
    for (const job of jobs) {
      expect(hookOf(job)).toBe('pre-install,pre-upgrade');
      expect(job.spec.activeDeadlineSeconds).toBe(900);
    }
  });

  it('know one secret: the way to their own schema', () => {
    for (const { metadata, spec } of jobs) {
      const [volume] = spec.template.spec.volumes;
      expect(volume.secret).toMatchObject({
        secretName: metadata.name.replace('migrate-', ''),
        items: [{ key: 'DATABASE_URL', path: 'DATABASE_URL' }],
      });
      expect(spec.template.spec.containers[0].envFrom).toBeUndefined();
    }
  });

  it('find what they need already there: their account, their policy, their secret', () => {
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

describe('who reaches whom', () => {
  const policies = ofKind(production, 'NetworkPolicy').filter(
    ({ metadata }) => !metadata.annotations,
  );
  const component = ({ podSelector }: KubeObject): string =>
    podSelector?.matchLabels['app.kubernetes.io/component'];
  const portsOf = (rule: KubeObject): number[] => rule.ports.map(({ port }: KubeObject) => port);
  const short = ({ metadata }: KubeObject): string => metadata.name.replace('daylift-', '');
  const withEgressTo = (port: number): string[] =>
    policies
      .filter(({ spec }) => spec.egress.some((rule: KubeObject) => portsOf(rule).includes(port)))
      .map(short);

  it('is closed both ways for every pod of ours', () => {
    expect(policies.map(short).sort()).toEqual(
      processNames.filter((name) => name !== 'sandbox').sort(),
    );
    for (const { spec } of policies) {
      expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
      for (const rule of spec.egress) expect(portsOf(rule).length).toBeGreaterThan(0);
    }
  });

  it('each server is open to those that use it', () => {
    expect(withEgressTo(5432)).toEqual([
      'accounts',
      'billing',
      'content',
      'scheduler',
      'sms-gateway',
      'sms-worker',
    ]);
    expect(withEgressTo(4222)).toEqual(services);
    expect(withEgressTo(6379)).toEqual(['gateway', 'sms-gateway', 'sms-worker']);
    expect(withEgressTo(587)).toEqual(['accounts', 'billing', 'sms-gateway']);
  });

  it('the internet is open to those that talk to a provider, and no private network with it', () => {
    expect(withEgressTo(443)).toEqual(['billing', 'sms-gateway', 'sms-worker']);
    for (const { spec } of policies)
      for (const { ports, to } of spec.egress.filter((rule: KubeObject) =>
        portsOf(rule).includes(443),
      )) {
        expect(ports).toHaveLength(1);
        expect(to[0].ipBlock).toMatchObject({
          cidr: '0.0.0.0/0',
          except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']),
        });
      }
  });

  it('services are open to the services that call them', () => {
    const callers = Object.fromEntries(
      policies
        .filter((one) => short(one) !== 'gateway')
        .map((one) => [short(one), (one.spec.ingress[0].from ?? []).map(component)]),
    );
    expect(callers).toEqual({
      accounts: ['billing', 'gateway', 'scheduler'],
      billing: ['accounts', 'gateway'],
      content: ['gateway'],
      scheduler: ['accounts', 'gateway'],
      'sms-gateway': ['accounts', 'gateway', 'scheduler'],
      'sms-worker': ['gateway'],
    });
  });

  it('the sandbox takes the place of the providers: nobody beside it has the internet', () => {
    const all = ofKind(sandboxed, 'NetworkPolicy').flatMap(({ spec }) => spec.egress ?? []);
    expect(all.flatMap(portsOf)).not.toContain(443);
  });
});

describe('the world comes in', () => {
  it.each(['Ingress', 'HTTPRoute'])(
    'by two hosts to the gateway and to nothing else: %s',
    (kind) => {
      const gatewayApi = set(
        'ingress.enabled=false',
        'gatewayApi.enabled=true',
        'gatewayApi.parentRefs[0].name=public',
      );
      const objects =
        kind === 'Ingress' ? production : render(...valuesFile('production'), ...gatewayApi);
      const doors = ofKind(objects, kind);
      expect(doors.map(({ spec }) => spec.hostnames?.[0] ?? spec.rules[0].host).sort()).toEqual([
        'admin.daylift.example.com',
        'daylift.example.com',
      ]);
      expect(
        JSON.stringify(doors.map(({ spec }) => spec.rules)).match(/"name":"daylift-[a-z]+"/g),
      ).toEqual(Array(2).fill('"name":"daylift-gateway"'));
    },
  );

  it('and operators’ addresses are those of their host', () => {
    expect(named(production, 'ConfigMap', 'daylift').data).toMatchObject({
      PUBLIC_URL: 'https://daylift.example.com',
      ADMIN_URL: 'https://admin.daylift.example.com',
      ALLOWED_ORIGINS: 'https://daylift.example.com',
      TRUSTED_PROXIES: '10.0.0.0/8',
    });
  });
});

describe('the workers follow the queue', () => {
  it('with KEDA by asking the database with the secret that is there', () => {
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

it('a changed setting makes new pods', () => {
  const sums = (...args: string[]): string[] =>
    ofKind(render(...number, ...args), 'Deployment').map(
      ({ spec }) => spec.template.metadata.annotations['checksum/settings'],
    );
  expect(sums()).toEqual(sums());
  expect(sums()).not.toEqual(sums(...set('sms.ratePerSecond=50')));
});

it('every alert names what to do', () => {
  const [rules] = ofKind(production, 'PrometheusRule');
  const alerts = rules?.spec.groups.flatMap((group: KubeObject) => group.rules);
  expect(alerts.length).toBeGreaterThan(0);
  for (const { alert, annotations, expr, labels } of alerts) {
    expect(annotations, alert).toMatchObject({
      summary: expect.any(String),
      runbook_url: expect.stringMatching(/^https:.+#/),
    });
    expect(labels.severity).toMatch(/^(page|ticket)$/);
    expect(expr).not.toMatch(/NAMESPACE|RELEASE|RUNBOOKS/);
  }
});

it('helm test walks the main job, and only beside the sandbox', () => {
  const walk = (objects: KubeObject[]): KubeObject =>
    named(objects, 'Job', 'daylift-test').spec.template.spec.containers[0];
  const names = (objects: KubeObject[]): string[] =>
    walk(objects).env.map(({ name }: { name: string }) => name);
  expect(names(sandboxed)).toContain('SANDBOX');
  expect(names(production)).not.toContain('SANDBOX');
  expect(named(sandboxed, 'ConfigMap', 'daylift-test').data['main-job.mjs']).toContain(
    'advance_hours',
  );
});
