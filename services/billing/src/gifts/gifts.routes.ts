import { billingApi } from '@daylift/contracts/billing.api';
import type { Server } from '@daylift/server/create-server';
import { adminOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import { actingStaff } from '../acting-staff.ts';
import type { BillingDeps } from '../deps.ts';
import { buyGift } from './buy-gift.ts';
import { listGifts } from './gifts.repository.ts';
import { eraseGiftBuyer, resendGift, show, voidGift } from './manage-gifts.ts';
import { readGift, redeemGift } from './redeem-gift.ts';

export function giftRoutes(app: Server, deps: BillingDeps): void {
  implement(app, billingApi, {
    'POST /gifts/checkout': ({ body }) => buyGift(deps, body),
    'POST /gifts/read': ({ body }) => readGift(deps, body.gift_code),
    'POST /gifts/redeem': ({ body, identity }) =>
      redeemGift(deps, body, identity?.kind === 'user' ? identity.user_id : null),
    'GET /admin/gifts': async (request) => {
      const { rows, total } = await listGifts(deps.db, request.query);
      return { rows: rows.map((row) => show(row, adminOf(request).role)), total };
    },
    'POST /admin/gifts/:id/resend': (request) =>
      resendGift(deps, request.params.id, actingStaff(request)),
    'POST /admin/gifts/:id/void': (request) =>
      voidGift(deps, request.params.id, actingStaff(request)),
    'POST /admin/gifts/:id/erase-buyer': (request) =>
      eraseGiftBuyer(deps, request.params.id, request.body.reason, actingStaff(request)),
  });
}
