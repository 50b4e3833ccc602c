import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { canonicalTimeZone } from './time-zone.ts';

export const processConfig = {
  PORT: Type.Integer({ minimum: 0, maximum: 65_535 }),
  /** For probes and metrics; never public. */
  OPS_PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 9090 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  LOG_LEVEL: Type.Union(
    (['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const).map((level) =>
      Type.Literal(level),
    ),
    { default: 'info' },
  ),
  /** Set when the sandbox replaces the providers. It then controls the clock. */
  SANDBOX_URL: Type.Optional(Type.String({ pattern: '^http://' })),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Credentials for the collector: `name=value,name=value`, with values percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({ pattern: '^[\\w-]+=[^\\s,;]+(,[\\w-]+=[^\\s,;]+)*$' }),
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
};
export const databaseConfig = { DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }) };
export const eventsConfig = {
  NATS_URL: Type.String({ pattern: '^(nats|tls)://' }),
  NATS_REPLICAS: Type.Integer({ minimum: 1, maximum: 5, default: 1 }),
  /** Size limit of each of the five streams. NATS reserves it on its disk. */
  NATS_STREAM_MAX_BYTES: Type.Integer({ minimum: 1_000_000, default: 512 * 1024 * 1024 }),
};
/** For services that call others: PEM of the Ed25519 key that signs their requests. */
export const callerConfig = { IDENTITY_PRIVATE_KEY: Type.String({ pattern: 'PRIVATE KEY' }) };
/** For services that others call: `gateway=<base64>,accounts=<base64>`, the callers' public keys. */
export const calledConfig = {
  IDENTITY_PUBLIC_KEYS: Type.String({
    pattern: '^[a-z-]+=[A-Za-z0-9+/]{59}=(,[a-z-]+=[A-Za-z0-9+/]{59}=)*$',
  }),
};

export const phoneConfig = {
  ALLOWED_COUNTRIES: Type.String({
    pattern: '^[A-Z]{2}(,[A-Z]{2})*$',
    default: 'US,CA,GB,FR,DE,JP,CN,AU,MX',
  }),
};

/** The operators' time zone, which defines their day and the times they see. */
export const operatorConfig = {
  OPERATOR_TIMEZONE: Type.Refine(
    Type.String({ default: 'America/New_York' }),
    (zone) => canonicalTimeZone(zone) !== null,
    () => 'must be an IANA time zone',
  ),
};

/** For services that keep a row per text. */
export const retentionConfig = {
  /** Months for which texts are kept; history, exports and disputes end there. */
  RETENTION_MONTHS: Type.Integer({ minimum: 3, maximum: 120, default: 25 }),
};

const liveKey = /\b[srp]k_live_/;

/**
 * Reads, validates and freezes the environment. `NAME_FILE` gives the path of a file with the value. Throws one error
 * that names every invalid variable and contains no values.
 */
export function loadConfig<T extends Type.TProperties>(
  properties: T,
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<Static<Type.TObject<T>>> {
  const schema = Type.Object(properties);
  const raw: Record<string, string> = {};
  for (const name of Object.keys(properties)) {
    const file = environment[`${name}_FILE`];
    const value = file === undefined ? environment[name] : readFileSync(file, 'utf8').trim();
    if (value !== undefined && value !== '') raw[name] = value;
  }
  const config = Value.Convert(schema, Value.Default(schema, raw));
  const wrong = Object.keys(properties).flatMap((name) => describeInvalid(name, schema, config));
  if (wrong.length > 0) throw new Error(`The configuration is not usable. ${wrong.join('; ')}`);
  rejectLiveKeysBesideSandbox(raw);
  return Object.freeze(config as Static<Type.TObject<T>>);
}

/** Validates each variable separately, because validating all at once stops after a few errors. */
function describeInvalid(name: string, { properties }: Type.TObject, config: unknown): string[] {
  const [schema, value] = [properties[name], (config as Record<string, unknown>)[name]];
  if (schema === undefined || (value === undefined && Type.IsOptional(schema))) return [];
  if (value === undefined) return [`${name}: is missing`];
  const error = Value.Errors(schema, value).at(-1);
  if (error === undefined) return [];
  const choices = choicesOf(schema);
  return [`${name}: ${choices ? `must be one of ${choices.join(', ')}` : error.message}`];
}

function choicesOf(schema: Type.TSchema): string[] | null {
  const isChoice = Type.IsUnion(schema) && schema.anyOf.every((one) => Type.IsLiteral(one));
  return isChoice ? schema.anyOf.map((one) => String((one as Type.TLiteral).const)) : null;
}

function rejectLiveKeysBesideSandbox(raw: Record<string, string>): void {
  if (raw.SANDBOX_URL === undefined) return;
  const live = Object.keys(raw).find((name) => liveKey.test(raw[name] ?? ''));
  if (live !== undefined) {
    throw new Error(`${live} holds a live key while SANDBOX_URL is set. Remove one of the two.`);
  }
}
