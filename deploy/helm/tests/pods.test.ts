import { describe, expect, it } from 'vitest';
import { type KubeObject, named, ofKind, podsOf, render, set, valuesFile } from './helm.ts';

const production = render(...valuesFile('production'));
const sandboxed = render(...set('sandbox.enabled=true'));

describe('every pod', () => {
  const pods = podsOf([...production, ...sandboxed]);

  it.each(pods.map((pod) => [`${pod.kind} ${pod.name}`, pod] as const))(
    '%s is restricted',
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

  it('reads secrets from files, never from its environment', () => {
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

it('that uses Postgres trusts a configured certificate authority', () => {
  const objects = render(...valuesFile('production'), ...set('trustedCertificates=own-ca'));
  for (const { name, spec } of podsOf(objects).filter((pod) => !pod.name.endsWith('-test'))) {
    const [{ env, volumeMounts }] = spec.containers;
    const path = env.find((one: KubeObject) => one.name === 'NODE_EXTRA_CA_CERTS')?.value;
    const mount = volumeMounts.find((one: KubeObject) => one.name === 'certificates');
    expect(path, name).toBe(`${mount?.mountPath}/ca.crt`);
    const volume = { name: 'certificates', configMap: { name: 'own-ca' } };
    expect(spec.volumes, name).toContainEqual(volume);
  }
});

describe.each(ofKind(production, 'Deployment').map((one) => [one.metadata.name, one] as const))(
  '%s',
  (name, { spec }) => {
    const [container] = spec.template.spec.containers;

    it('has startup, readiness and liveness probes; the last two check only the process', () => {
      expect(container.startupProbe.httpGet.path).toBe(
        /gateway$|billing/.test(name) && name !== 'daylift-sms-gateway' ? '/healthz' : '/readyz',
      );
      expect(container.readinessProbe.httpGet.path).toBe('/healthz');
      expect(container.livenessProbe.httpGet.path).toBe('/healthz');
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
        expect(container[probe].httpGet.port).toBe('ops');
      expect(container.ports).toContainEqual({ name: 'ops', containerPort: 9090 });
      const patience =
        container.startupProbe.periodSeconds * container.startupProbe.failureThreshold;
      expect(patience).toBeGreaterThanOrEqual(300);
    });

    it('stops after the longest send, without aborting a text', () => {
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

    it('has at least two pods, and a drained node removes only one', () => {
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
