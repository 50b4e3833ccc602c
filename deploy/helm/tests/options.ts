import { number, set, valuesFile } from './helm.ts';

/** Values files and options. Each must render valid objects. */
export const options: Record<string, string[]> = {
  defaults: number,
  'values-dev': valuesFile('dev'),
  'values-production': valuesFile('production'),
  'the sandbox': set('sandbox.enabled=true'),
  'the sandbox with a volume, a class and a clock': set(
    'sandbox.enabled=true',
    'sandbox.storage=1Gi',
    'sandbox.storageClass=fast',
    'sandbox.clockStart=2027-04-05T15:20:00Z',
  ),
  'an ingress': [
    ...number,
    ...set('ingress.enabled=true', 'ingress.className=nginx', 'trustedProxies={10.0.0.0/8}'),
  ],
  'an ingress with annotations and certificates': [
    ...number,
    ...set('ingress.enabled=true', 'trustedProxies={10.0.0.0/8}', 'ingress.productTlsSecret=tls'),
    ...set('ingress.annotations.cert-manager\\.io/cluster-issuer=letsencrypt'),
  ],
  'the gateway API': [
    ...number,
    ...set('gatewayApi.enabled=true', 'gatewayApi.parentRefs[0].name=public'),
    ...set('trustedProxies={10.0.0.0/8}'),
  ],
  KEDA: [...number, ...set('keda.enabled=true', 'workloads.sms-worker.autoscaling.enabled=true')],
  'the queue as a metric': [...number, ...set('workloads.sms-worker.autoscaling.enabled=true')],
  'no autoscaling': [
    ...number,
    ...['gateway', 'accounts', 'billing', 'content', 'scheduler', 'sms-gateway'].flatMap((name) =>
      set(`workloads.${name}.autoscaling.enabled=false`),
    ),
  ],
  'external secrets': [
    ...number,
    ...set('secrets.external.enabled=true', 'secrets.external.store=vault'),
  ],
  'no network policies': [...number, ...set('networkPolicy.enabled=false')],
  'network policies with names': [
    ...number,
    ...set('networkPolicy.gatewayFrom[0].namespaceSelector.matchLabels.name=ingress'),
    ...set('networkPolicy.monitoringFrom[0].namespaceSelector.matchLabels.name=monitoring'),
    ...set('networkPolicy.peers.postgres.to[0].ipBlock.cidr=10.1.0.0/16', 'sandbox.enabled=true'),
  ],
  'no disruption budgets': [...number, ...set('podDisruptionBudget.enabled=false')],
  'no migrations': [...number, ...set('migrations.enabled=false')],
  'live update': set('sandbox.enabled=true', 'liveUpdate=true'),
  'trusted certificates': [...number, ...set('trustedCertificates=own-ca')],
  'the first owner': [...number, ...set('firstOwner.fromSecret=true')],
  'no preStop delay': [...number, ...set('shutdown.preStopSeconds=0')],
  monitoring: [
    ...number,
    ...set('monitoring.serviceMonitors.enabled=true', 'monitoring.rules.enabled=true'),
    ...set('monitoring.dashboards.enabled=true', 'monitoring.rules.labels.release=prometheus'),
  ],
  traces: [
    ...number,
    ...set('telemetry.endpoint=http://otel.monitoring.svc:4318', 'telemetry.ratio=0.01'),
  ],
  'a collector with a key': [
    ...number,
    ...set('telemetry.endpoint=http://otel.svc:4318', 'telemetry.headersFromSecret=true'),
  ],
  'all pod settings': [
    ...number,
    ...set('pod.nodeSelector.disk=ssd', 'pod.tolerations[0].operator=Exists'),
    ...set('pod.priorityClassName=high', 'pod.labels.team=sms', 'pod.annotations.note=none'),
    ...set('image.pullSecrets[0].name=registry', 'image.tag=1.2.3', 'image.registry=r.example/d'),
  ],
  'other names': [...number, ...set('fullnameOverride=texts', 'secrets.prefix=texts')],
};
