export interface FieldSchema {
  type?: string;
  anyOf?: FieldSchema[];
  properties?: Record<string, FieldSchema>;
  required?: string[];
  additionalProperties?: boolean;
  default?: unknown;
}

interface Parameter {
  in: 'query' | 'path';
  name: string;
  required?: boolean;
  schema: FieldSchema;
}

export interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: FieldSchema } } };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
  security: Record<string, string[]>[];
}

export interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

export const bodySchemaOf = (operation: Operation): FieldSchema =>
  operation.requestBody?.content['application/json'].schema ?? {};
export const parametersOf = (operation: Operation, place: 'query' | 'path'): Parameter[] =>
  (operation.parameters ?? []).filter((one) => one.in === place);

/** Returns values of every JSON type that the schema rejects. */
export function wrongTypes(schema: FieldSchema): unknown[] {
  const types = new Set([schema.type, ...(schema.anyOf ?? []).map((one) => one.type)]);
  if (types.has('integer')) types.add('number');
  const samples: [string, unknown[]][] = [
    ['null', [null]],
    ['boolean', [true]],
    ['number', [7]],
    ['string', ['text']],
    ['array', [[], ['09:00'], [[]]]],
    ['object', [{}, { $ne: null }, { toString: 1 }]],
  ];
  return samples.flatMap(([type, values]) => (types.has(type) ? [] : values));
}
