import { accountsApi } from '@daylift/contracts/accounts.api';
import { billingApi } from '@daylift/contracts/billing.api';
import { contentApi } from '@daylift/contracts/content.api';
import { type Api, listEndpoints } from '@daylift/contracts/endpoint';
import { gatewayApi } from '@daylift/contracts/gateway.api';
import { schedulerApi } from '@daylift/contracts/scheduler.api';
import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import AjvCompiler from '@fastify/ajv-compiler';
import { expect, test } from 'vitest';

const apis: Api[] = [accountsApi, billingApi, contentApi, schedulerApi, smsGatewayApi, gatewayApi];

test('every declared schema is valid JSON Schema, because services compile it without that check', () => {
  let check: (schema: object) => unknown = () => undefined;
  AjvCompiler()(
    {},
    {
      customOptions: {},
      onCreate: (ajv) => (check = (schema) => ajv.validateSchema(schema, true)),
    },
  );
  expect(() => check({ type: 'words' })).toThrow('schema is invalid');
  const schemas = apis
    .flatMap(listEndpoints)
    .flatMap(({ endpoint: { params, query, body, response } }) => [params, query, body, response])
    .filter((schema) => schema !== undefined);
  expect(schemas.length).toBeGreaterThan(200);
  for (const schema of schemas) check(schema);
});
