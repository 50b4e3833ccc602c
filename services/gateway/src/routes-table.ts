import { accountsApi } from '@daylift/contracts/accounts.api';
import { billingApi } from '@daylift/contracts/billing.api';
import { contentApi } from '@daylift/contracts/content.api';
import {
  type Access as DeclaredAccess,
  type EndpointEntry,
  listEndpoints,
  type RateClass,
  type ServiceName,
} from '@daylift/contracts/endpoint';
import { gatewayApi } from '@daylift/contracts/gateway.api';
import { schedulerApi } from '@daylift/contracts/scheduler.api';
import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';

export type Access = Exclude<DeclaredAccess, 'internal'>;

export interface ApiRoute extends EndpointEntry {
  upstream: ServiceName;
  access: Access;
  rate: RateClass;
}

export const apis = [accountsApi, billingApi, contentApi, schedulerApi, smsGatewayApi, gatewayApi];

export const apiRoutes: readonly ApiRoute[] = apis.flatMap((api) =>
  listEndpoints(api).flatMap((entry): ApiRoute[] => {
    const { access, rate = 'general' } = entry.endpoint;
    return access === 'internal' ? [] : [{ ...entry, upstream: api.service, access, rate }];
  }),
);
