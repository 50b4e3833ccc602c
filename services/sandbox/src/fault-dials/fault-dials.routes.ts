import type { Server } from '@daylift/server/create-server';
import { Value } from 'typebox/value';
import type { SandboxDeps } from '../deps.ts';
import { UnknownFault } from '../errors.ts';
import { FaultSettings, noFaults } from '../faults.ts';

type Json = Record<string, unknown>;

/** Dials per provider that also accept one value for both. */
const perProvider = new Set([
  'latency_ms',
  'accept_then_error',
  'accept_then_drop',
  'accept_then_delay_ms',
]);

/** POST changes only the dials given; `{"reset": true}` turns all off first. */
export function registerFaultDials(app: Server, { clock, faults, store }: SandboxDeps): void {
  app.get('/sandbox/faults', async () => faults.current);

  app.post('/sandbox/faults', async (request) => {
    const body = request.body;
    if (!isObject(body)) throw new UnknownFault('Send a JSON object with the dials to change.');
    const { reset, ...changes } = body;
    if (reset !== undefined && typeof reset !== 'boolean') {
      throw new UnknownFault('"reset" must be true or false.');
    }
    const changed = merge(reset ? noFaults() : faults.current, expand(changes));
    const next = { ...noFaults(), ...changed };
    checkSettings(next);
    faults.change(next);
    return next;
  });

  /** Clears texts, mail, payments, opt-outs and faults, but not the clock. */
  app.post('/sandbox/reset', async () => {
    await store.reset();
    return { reset: true, now: clock.now().toISOString() };
  });
}

function expand(changes: Json): Json {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) =>
      perProvider.has(name) && typeof value === 'number'
        ? [name, { stripe: value, telnyx: value }]
        : [name, value],
    ),
  );
}

/** Merges objects and replaces other values. Null removes an entry or turns a group off. */
function merge(current: Json, changes: Json): Json {
  const next: Json = { ...current };
  for (const [name, value] of Object.entries(changes)) {
    const known = next[name];
    if (value === null) delete next[name];
    else next[name] = isObject(value) ? merge(isObject(known) ? known : {}, value) : value;
  }
  return next;
}

function checkSettings(next: Json): asserts next is FaultSettings {
  const [error] = Value.Errors(FaultSettings, next);
  if (error === undefined) return;
  const path = error.instancePath.slice(1).replaceAll('/', '.') || 'the dials';
  const names = (error.params as { additionalProperties?: string[] }).additionalProperties;
  const unknown = names === undefined ? '' : ` (${names.join(', ')})`;
  throw new UnknownFault(
    `"${path}" ${error.message}${unknown}. GET /sandbox/faults shows every dial.`,
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
