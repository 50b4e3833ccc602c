import { expect, it } from 'vitest';
import { number, refusal, set, valuesFile } from './helm.ts';

const ingress = set('ingress.enabled=true');
const live = `sk_${'live'}_0123456789abcdef`;

it.each<[string, string[], RegExp]>([
  ['no sending number', [], /sms\.from is empty/],
  ['a rate of 0', [...number, ...set('sms.ratePerSecond=0')], /ratePerSecond/],
  ['a number that is none', ['--set-string', 'sms.from=555'], /sms.*from/],
  ['a setting that there is not', [...number, ...set('sms.rate=5')], /rate/],
  [
    'a live key in the values',
    [...number, ...set(`pod.annotations.key=${live}`)],
    /The values contain a key or password/,
  ],
  [
    'a password in an address',
    [...number, ...set('pod.annotations.database=postgres://a:b@host/x')],
    /The values contain a key or password/,
  ],
  ['live without TLS', [...number, ...set('urls.product=http://daylift.example.com')], /not https/],
  [
    'an address with a path',
    [...number, ...set('urls.product=https://example.com/app')],
    /product/,
  ],
  [
    'one host for both sides in front of the world',
    [
      ...number,
      ...ingress,
      ...set('trustedProxies={10.0.0.0/8}', 'urls.admin=https://daylift.example.com'),
    ],
    /the same host/,
  ],
  ['an ingress that nobody trusts', [...number, ...ingress], /trustedProxies is empty/],
  [
    'a gateway that is not named',
    [...number, ...set('gatewayApi.enabled=true', 'trustedProxies={10.0.0.0/8}')],
    /parentRefs is empty/,
  ],
  [
    'a store that is not named',
    [...number, ...set('secrets.external.enabled=true')],
    /secrets\.external\.store is empty/,
  ],
  ['changing sources beside live keys', [...number, ...set('liveUpdate=true')], /liveUpdate/],
  [
    'less time to end than a send may take',
    [...number, ...set('shutdown.preStopSeconds=30')],
    /gracePeriodSeconds must be at least 55/,
  ],
  [
    'a send that outlives its process',
    [...number, ...set('sms.providerTimeoutMs=30000', 'sms.leaseMs=60000')],
    /providerTimeoutMs/,
  ],
  [
    'a lease that ends before the send',
    [...number, ...set('sms.leaseMs=9000')],
    /leaseMs must be longer/,
  ],
  [
    'fewer at most than at least',
    [...number, ...set('workloads.gateway.autoscaling.min=20')],
    /gateway\.autoscaling\.min is greater than max/,
  ],
  [
    'images that are whatever came last',
    [...number, ...set('image.tag=latest')],
    /image\.tag is latest/,
  ],
  [
    'a catalogue that there is not',
    [...number, ...set('product.planCatalogue=free')],
    /planCatalogue/,
  ],
  [
    'a collector at a port that the network policies close',
    [...number, ...set('telemetry.endpoint=http://otel.svc:4317')],
    /uses port 4317.*peers\.otlp\.ports/,
  ],
  [
    'a collector at the port of https, which they close too',
    [...number, ...set('telemetry.endpoint=https://otel.example.com')],
    /uses port 443.*peers\.otlp\.ports/,
  ],
  [
    'a real provider as the sandbox',
    [...valuesFile('dev'), ...set('sandbox.publicUrl=https://api.stripe.com')],
    /real provider/,
  ],
])('is rejected with an explanation: %s', (_name, args, words) => {
  expect(refusal(...args)).toMatch(words);
});
