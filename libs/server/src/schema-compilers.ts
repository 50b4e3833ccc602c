import AjvCompiler from '@fastify/ajv-compiler';
import SerializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

interface Validate {
  (data: unknown, context?: unknown): unknown;
  errors?: unknown;
  /** Fastify passes the context only to functions that have it, like those of Ajv. */
  schemaEnv?: unknown;
}

/** Compiles at the first request: a fifth of a process's start went into schemas, most of them rarely used. */
function compileWhenUsed<Route>(compile: (route: Route) => Validate): (route: Route) => Validate {
  return (route) => {
    let compiled: Validate | undefined;
    const validate: Validate = (data, context) => {
      compiled ??= compile(route);
      const result = compiled(data, context);
      validate.errors = compiled.errors;
      return result;
    };
    validate.schemaEnv = true;
    return validate;
  };
}

/** Shared by the servers of a process, because tests build many: each schema is compiled once. */
const buildAjv = AjvCompiler();
const serializers = new WeakMap<object, SerializerCompiler.Serializer>();

function buildValidator(
  externalSchemas: Record<string, never>,
  serverOptions: { customOptions?: object },
) {
  const options = {
    removeAdditional: false,
    useDefaults: true,
    allErrors: false,
    // Compiling the meta-schema takes a tenth of a process's startup time. A test checks every declared schema against it.
    validateSchema: false,
  };
  const build = (coerceTypes: boolean) =>
    buildAjv(externalSchemas, { ...serverOptions, customOptions: { ...options, coerceTypes } });
  const strict = build(false);
  const lenient = build(true);
  return compileWhenUsed(
    (route: { httpPart?: string }) =>
      (route.httpPart === 'body' ? strict : lenient)(route) as Validate,
  );
}

const buildSerializer: SerializerCompiler.SerializerFactory = (externalSchemas, options) => {
  const compile = SerializerCompiler()(externalSchemas, options);
  return (route) => {
    let compiled = serializers.get(route.schema as object);
    return (body) => {
      if (compiled === undefined) {
        compiled = compile(route);
        serializers.set(route.schema as object, compiled);
      }
      return compiled(body);
    };
  };
};

/** Bodies aren't coerced. Query and path are strings, so they are converted to the schema's types. */
export const schemaCompilers = {
  compilersFactory: { buildValidator, buildSerializer },
} as unknown as FastifyServerOptions['schemaController'];
