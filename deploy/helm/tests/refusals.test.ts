import { expect, it } from 'vitest';
import { number, refusal, set, valuesFile } from './helm.ts';

const ingress = set('ingress.enabled=true');
const live = `sk_${'live'}_0123456789abcdef`;

it.each<[string, string[], RegExp]>([
  ['no sending number', [], /sms\.from is empty/],
  ['a rate of 0', [...number, ...set('sms.ratePerSecond=0')], /ratePerSecond/],
  ['an invalid number', ['--set-string', 'sms.from=555'], /sms.*from/],
  ['an unknown setting', [...number, ...set('sms.rate=5')], /rate/],
  [
    'a live key in the values',
    [...number, ...set(`pod.annotations.key=${live}`)],
    /The values contain a key or password/,
  ],
  [
    'a password in a URL',
    [...number, ...set('pod.annotations.database=postgres://a:b@host/x')],
    /The values contain a key or password/,
  ],
  ['live without TLS', [...number, ...set('urls.product=http://daylift.example.com')], /not https/],
  ['a URL with a path', [...number, ...set('urls.product=https://example.com/app')], /product/],
  [
    'one public host for product and admin pages',
    [
      ...number,
      ...ingress,
      ...set('trustedProxies={10.0.0.0/8}', 'urls.admin=https://daylift.example.com'),
    ],
    /the same host/,
  ],
  ['an ingress without trusted proxies', [...number, ...ingress], /trustedProxies is empty/],
  [
    'a missing gateway name',
    [...number, ...set('gatewayApi.enabled=true', 'trustedProxies={10.0.0.0/8}')],
    /parentRefs is empty/,
  ],
  [
    'a missing secret store',
    [...number, ...set('secrets.external.enabled=true')],
    /secrets\.external\.store is empty/,
  ],
  ['live update with live keys', [...number, ...set('liveUpdate=true')], /liveUpdate/],
  [
    'a grace period shorter than a send',
    [...number, ...set('shutdown.preStopSeconds=30')],
    /gracePeriodSeconds must be at least 55/,
  ],
  [
    'a provider timeout longer than the grace period',
    [...number, ...set('sms.providerTimeoutMs=30000', 'sms.leaseMs=60000')],
    /providerTimeoutMs/,
  ],
  [
    'a lease shorter than the provider timeout',
    [...number, ...set('sms.leaseMs=9000')],
    /leaseMs must be longer/,
  ],
  [
    'a maximum below the minimum',
    [...number, ...set('workloads.gateway.autoscaling.min=20')],
    /gateway\.autoscaling\.min is greater than max/,
  ],
  ['the image tag latest', [...number, ...set('image.tag=latest')], /image\.tag is latest/],
  ['an unknown catalogue', [...number, ...set('product.planCatalogue=free')], /planCatalogue/],
  [
    'a collector on a port closed by network policies',
    [...number, ...set('telemetry.endpoint=http://otel.svc:4317')],
    /uses port 4317.*peers\.otlp\.ports/,
  ],
  [
    'a collector on port 443, which is closed too',
    [...number, ...set('telemetry.endpoint=https://otel.example.com')],
    /uses port 443.*peers\.otlp\.ports/,
  ],
  [
    "a real provider's URL for the sandbox",
    [...valuesFile('dev'), ...set('sandbox.publicUrl=https://api.stripe.com')],
    /real provider/,
  ],
])('is rejected with an explanation: %s', (_name, args, words) => {
  expect(refusal(...args)).toMatch(words);
});
