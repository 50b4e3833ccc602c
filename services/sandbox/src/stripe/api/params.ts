import { parse } from 'qs';
import { type StaticDecode, Type } from 'typebox';
import { DecodeUnsafe, Value } from 'typebox/value';
import { invalidRequest, type StripeApiError } from './stripe-error.ts';

// Every value of a form is text, so each schema describes text and decodes it.
const INTEGER = '^-?\\d{1,15}$';
const URL = '^https?://[^\\s/]+';
const EMAIL = '^[^\\s@]+@[^\\s@]+$';

export type Input<P extends Type.TProperties> = StaticDecode<Type.TObject<P>>;

export const optional = Type.Optional;
export const list = Type.Array;
export const text = Type.String({ minLength: 1, maxLength: 5000 });
export const url = Type.String({ maxLength: 5000, pattern: URL });
export const email = Type.String({ maxLength: 5000, pattern: EMAIL });
export const integer = Type.Decode(Type.String({ pattern: INTEGER }), Number);
export const currency = Type.Decode(Type.String({ pattern: '^[A-Za-z]{3}$' }), (code) =>
  code.toLowerCase(),
);
export const boolean = Type.Decode(Type.Enum(['true', 'false']), (word) => word === 'true');

export const integerBetween = (min: number, max: number) =>
  Type.Decode(
    Type.Refine(
      Type.String({ pattern: INTEGER }),
      (digits) => Number(digits) >= min && Number(digits) <= max,
      () => `must be between ${min} and ${max}`,
    ),
    Number,
  );
export const oneOf = <T extends string[]>(...words: [...T]) => Type.Enum(words);
/** Accepts an empty value too. It unsets the parameter and is decoded to null. */
export const emptyable = <T extends Type.TSchema>(schema: T) =>
  Type.Union([Type.Decode(Type.Literal(''), () => null), schema]);
/** Rejects unknown parameters. */
export const hash = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const metadata = emptyable(
  Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
    maxProperties: 50,
    propertyNames: { maxLength: 40 },
  }),
);
export type MetadataPatch = StaticDecode<typeof metadata>;

/** Returns the metadata after a patch: null clears all of it, an empty value removes one key. */
export function patchMetadata(
  current: Record<string, string> | null,
  patch: MetadataPatch | undefined,
): Record<string, string> {
  if (patch === null) return {};
  return Object.fromEntries(
    Object.entries({ ...current, ...patch }).filter(([, value]) => value !== ''),
  );
}

const bound = optional(integer);

export const listParams = {
  limit: optional(integerBetween(1, 100)),
  starting_after: optional(text),
  created: optional(hash({ gt: bound, gte: bound, lt: bound, lte: bound })),
};

/** Reads an encoded form against its schema. */
export function readParams(schema: Type.TObject, encoded: string): Record<string, unknown> {
  const form = parse(encoded, { depth: 8, arrayLimit: 100, plainObjects: true });
  if (!Value.Check(schema, form)) throw refusalOf(schema, form);
  // `Decode` would copy, convert and check the form again.
  return DecodeUnsafe({}, schema, form) as Record<string, unknown>;
}

/** Writes a JSON pointer such as `/items/0/price` as a form's field name: `items[0][price]`. */
function fieldName(pointer: string): string {
  const [, first = '', ...rest] = pointer.split('/');
  return [first, ...rest.map((key) => `[${key}]`)].join('');
}

const CODES: Record<string, string> = {
  [INTEGER]: 'parameter_invalid_integer',
  [URL]: 'url_invalid',
  [EMAIL]: 'email_invalid',
};

function refusalOf(schema: Type.TObject, form: object): StripeApiError {
  const errors = Value.Errors(schema, form);
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'additionalProperties') continue;
    const names = params.additionalProperties.map((key) => fieldName(`${instancePath}/${key}`));
    return invalidRequest(
      `Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`,
      { code: 'parameter_unknown', param: names[0]! },
    );
  }
  const error = errors[0]!;
  if (error.keyword === 'required') {
    const param = fieldName(`${error.instancePath}/${error.params.requiredProperties[0]}`);
    return invalidRequest(`Missing required param: ${param}.`, {
      code: 'parameter_missing',
      param,
    });
  }
  const param = fieldName(error.instancePath);
  if (Value.Pointer.Get(form, error.instancePath) === '') {
    return invalidRequest(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      { code: 'parameter_invalid_empty', param },
    );
  }
  const code = error.keyword === 'pattern' ? CODES[String(error.params.pattern)] : undefined;
  return invalidRequest(`Invalid ${param}: ${error.message}`, { ...(code && { code }), param });
}
