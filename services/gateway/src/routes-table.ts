/** The service that answers; `gateway` composes the answer itself. */
export type Upstream = 'accounts' | 'billing' | 'content' | 'scheduler' | 'sms-gateway' | 'gateway';
/**
 * Who may come in. `visitor`: everybody, and a subscriber who is signed in is known by name. `self`: every admin, also one
 * who must set up a second step before anything else. `webhook`: a provider, which proves itself to the service by its
 * signature over the raw body.
 */
export type Access =
  | 'public'
  | 'visitor'
  | 'user'
  | 'self'
  | 'viewer'
  | 'operator'
  | 'owner'
  | 'webhook';
/** What a call counts towards, per address; see rate-limits.ts. */
export type RateClass =
  | 'general'
  | 'login'
  | 'signup'
  | 'checkout'
  | 'payment-status'
  | 'letter'
  | 'none';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface ApiRoute {
  method: Method;
  /** Below /api at this door, and the same without /api at the service. */
  path: string;
  upstream: Upstream;
  access: Access;
  rate: RateClass;
  /** Waits for a batch or for the payment provider, up to 20 s. */
  slow: boolean;
  /** Open also to a subscriber who has to choose a password first. */
  beforeOwnPassword: boolean;
  /** Takes a file in its body. */
  large: boolean;
}

type Row = [Method, string, Upstream, Access, RateClass?, ('slow' | 'large')?];

/** What each service has of libs/events/src/parked. */
const parkedRows = (service: Exclude<Upstream, 'gateway'>): Row[] => [
  ['POST', `/admin/parked/${service}/:id/replay`, service, 'operator'],
  ['POST', `/admin/parked/${service}/replay-all`, service, 'operator', 'general', 'slow'],
  ['POST', `/admin/parked/${service}/:id/discard`, service, 'owner'],
];

/** Every call that the product answers, and nothing else does. */
const rows: Row[] = [
  ['POST', '/subscriptions', 'accounts', 'public', 'signup'],
  ['POST', '/users/login', 'accounts', 'public', 'login'],
  ['GET', '/users/me', 'accounts', 'user'],
  ['PUT', '/users/me', 'accounts', 'user'],
  ['POST', '/users/me/contact-code', 'accounts', 'user'],
  ['POST', '/users/me/confirm-phone', 'accounts', 'user', 'login'],
  ['POST', '/users/revert-change', 'accounts', 'public', 'login'],
  ['POST', '/users/set-password', 'accounts', 'public', 'login'],
  ['POST', '/users/confirm-email', 'accounts', 'public', 'login'],
  ['POST', '/users/me/confirm-email', 'accounts', 'user'],
  ['POST', '/users/logout', 'accounts', 'user'],
  ['POST', '/users/me/change-password', 'accounts', 'user', 'login'],
  ['POST', '/users/me/toggle-delivery', 'accounts', 'user'],
  ['POST', '/users/me/consent-request', 'accounts', 'user'],
  ['POST', '/users/me/generate-referral', 'accounts', 'user'],
  ['GET', '/users/me/export', 'accounts', 'user'],
  ['POST', '/users/me/delete', 'accounts', 'user', 'login'],
  ['POST', '/support/contact', 'accounts', 'user', 'letter'],
  ['POST', '/contact', 'accounts', 'public', 'letter'],
  ['POST', '/admin/login', 'accounts', 'public', 'login'],
  ['POST', '/admin/logout', 'accounts', 'self'],
  ['POST', '/admin/invitation', 'accounts', 'public', 'login'],
  ['GET', '/admin/me', 'accounts', 'self'],
  ['POST', '/admin/me/password', 'accounts', 'self', 'login'],
  ['POST', '/admin/me/totp', 'accounts', 'self', 'login'],
  ['POST', '/admin/me/totp/confirm', 'accounts', 'self', 'login'],
  ['POST', '/admin/me/totp/disable', 'accounts', 'self', 'login'],
  ['GET', '/admin/admins', 'accounts', 'owner'],
  ['POST', '/admin/admins', 'accounts', 'owner'],
  ['PUT', '/admin/admins/:id', 'accounts', 'owner'],
  ['POST', '/admin/admins/:id/invitation', 'accounts', 'owner'],
  ['DELETE', '/admin/admins/:id/totp', 'accounts', 'owner'],
  ['GET', '/admin/audit-log', 'accounts', 'owner'],
  ['GET', '/admin/audit-log/verify', 'accounts', 'owner'],
  ['GET', '/admin/users', 'accounts', 'viewer'],
  ['POST', '/admin/users/create', 'accounts', 'operator'],
  ['POST', '/admin/users/:id/toggle-status', 'accounts', 'operator'],
  ['DELETE', '/admin/users/:id', 'accounts', 'owner'],
  ['GET', '/admin/inbox', 'accounts', 'viewer'],
  ['GET', '/admin/inbox/:id', 'accounts', 'viewer'],
  ['POST', '/admin/inbox/:id/answer', 'accounts', 'operator'],
  ['POST', '/admin/inbox/:id/close', 'accounts', 'operator'],
  ['POST', '/admin/inbox/:id/reopen', 'accounts', 'operator'],
  ['GET', '/admin/users/:id', 'accounts', 'viewer'],
  ['GET', '/admin/users/:id/subscription', 'accounts', 'viewer'],
  ['GET', '/admin/users/:id/timeline', 'accounts', 'viewer'],
  ['GET', '/admin/users/:id/days/:date', 'accounts', 'viewer'],

  ['GET', '/plans', 'billing', 'public'],
  ['POST', '/payments/create-checkout', 'billing', 'visitor', 'checkout', 'slow'],
  ['GET', '/payments/status/:session_id', 'billing', 'public', 'payment-status'],
  ['GET', '/users/me/subscription', 'billing', 'user'],
  ['GET', '/users/me/plan', 'billing', 'user'],
  ['GET', '/users/me/plan/preview', 'billing', 'user', 'checkout', 'slow'],
  ['POST', '/users/me/plan/upgrade', 'billing', 'user', 'checkout', 'slow'],
  ['POST', '/users/me/plan/switch', 'billing', 'user', 'checkout', 'slow'],
  ['POST', '/users/me/plan/cancel', 'billing', 'user', 'checkout', 'slow'],
  ['POST', '/users/me/plan/undo-cancel', 'billing', 'user', 'checkout', 'slow'],
  ['POST', '/users/me/plan/portal', 'billing', 'user', 'checkout'],
  ['GET', '/users/me/invoices', 'billing', 'user'],
  ['GET', '/users/me/referrals', 'billing', 'user'],
  ['GET', '/admin/subscriptions', 'billing', 'viewer'],
  ['GET', '/admin/subscriptions/figures', 'billing', 'viewer'],

  ['GET', '/faqs', 'content', 'public'],
  ['GET', '/admin/scheduled-messages', 'content', 'viewer'],
  ['POST', '/admin/scheduled-messages', 'content', 'operator'],
  ['GET', '/admin/scheduled-messages/calendar', 'content', 'viewer'],
  ['POST', '/admin/scheduled-messages/import', 'content', 'operator', 'general', 'large'],
  ['PUT', '/admin/scheduled-messages/:id', 'content', 'operator'],
  ['DELETE', '/admin/scheduled-messages/:id', 'content', 'operator'],
  ['GET', '/admin/templates', 'content', 'viewer'],
  ['POST', '/admin/templates', 'content', 'operator'],
  ['PUT', '/admin/templates/:id', 'content', 'operator'],
  ['DELETE', '/admin/templates/:id', 'content', 'operator'],
  ['GET', '/admin/faqs', 'content', 'viewer'],
  ['POST', '/admin/faqs', 'content', 'operator'],
  ['PUT', '/admin/faqs/order', 'content', 'operator'],
  ['PUT', '/admin/faqs/:id', 'content', 'operator'],
  ['DELETE', '/admin/faqs/:id', 'content', 'operator'],

  ['GET', '/users/me/next-text', 'scheduler', 'user'],
  ['POST', '/users/me/next-text/preview', 'scheduler', 'user'],
  ['GET', '/admin/audience', 'scheduler', 'viewer'],
  ['POST', '/admin/scheduled-messages/:id/send-now', 'scheduler', 'operator', 'general', 'slow'],
  ['GET', '/admin/scheduled-messages/:id/send-preview', 'scheduler', 'viewer'],
  ['POST', '/admin/send-todays-message', 'scheduler', 'operator', 'general', 'slow'],
  ['GET', '/admin/send-todays-message/preview', 'scheduler', 'viewer'],
  ['POST', '/admin/scheduler/run', 'scheduler', 'operator', 'general', 'slow'],
  ['GET', '/admin/scheduler/status', 'scheduler', 'viewer'],
  ['GET', '/admin/scheduler/delivery-slots', 'scheduler', 'viewer'],
  ['GET', '/admin/scheduler/load', 'scheduler', 'viewer'],
  ['GET', '/admin/missed', 'scheduler', 'viewer'],
  ['GET', '/admin/rehearsal', 'scheduler', 'viewer'],
  ['GET', '/admin/rehearsal/skipped', 'scheduler', 'viewer'],

  ['POST', '/admin/scheduler/process-queue', 'sms-gateway', 'operator', 'general', 'slow'],
  ['GET', '/admin/freeze', 'sms-gateway', 'viewer'],
  ['POST', '/admin/freeze', 'sms-gateway', 'operator'],
  ['GET', '/admin/freeze/lift-preview', 'sms-gateway', 'viewer'],
  ['POST', '/admin/freeze/lift', 'sms-gateway', 'operator'],
  ['POST', '/admin/send-pause/try', 'sms-gateway', 'operator', 'general', 'slow'],
  ['GET', '/admin/sms-batches', 'sms-gateway', 'viewer'],
  ['GET', '/admin/sms-stats', 'sms-gateway', 'viewer'],
  ['GET', '/admin/sms-stats/daily', 'sms-gateway', 'viewer'],
  ['GET', '/admin/sms-stats/hourly', 'sms-gateway', 'viewer'],
  ['GET', '/admin/sms-system/provider', 'sms-gateway', 'viewer'],
  ['GET', '/admin/sms-logs', 'sms-gateway', 'viewer'],
  ['GET', '/admin/messages', 'sms-gateway', 'viewer'],
  ['GET', '/admin/sms-logs/export', 'sms-gateway', 'operator'],
  ['GET', '/admin/settings/testing-mode', 'sms-gateway', 'viewer'],
  ['POST', '/admin/settings/testing-mode', 'sms-gateway', 'operator'],
  ['GET', '/admin/settings/alert-email', 'sms-gateway', 'viewer'],
  ['POST', '/admin/settings/alert-email', 'sms-gateway', 'operator'],
  ['GET', '/users/me/sms-history', 'sms-gateway', 'user'],
  ['GET', '/users/me/calendar', 'sms-gateway', 'user'],
  ['GET', '/users/me/analytics', 'sms-gateway', 'user'],

  ['GET', '/admin/analytics', 'gateway', 'viewer'],
  ['GET', '/admin/live', 'gateway', 'viewer'],

  ['GET', '/admin/parked', 'gateway', 'viewer'],
  ...parkedRows('accounts'),
  ...parkedRows('billing'),
  ...parkedRows('content'),
  ...parkedRows('scheduler'),
  ...parkedRows('sms-gateway'),

  ['POST', '/webhooks/stripe', 'billing', 'webhook', 'none'],
  ['POST', '/webhooks/telnyx/:dispatch', 'sms-gateway', 'webhook', 'none'],
];

const beforeOwnPassword = new Set(['POST /users/me/change-password', 'POST /users/logout']);

export const apiRoutes: readonly ApiRoute[] = rows.map(
  ([method, path, upstream, access, rate = 'general', trait]) => ({
    method,
    path,
    upstream,
    access,
    rate,
    beforeOwnPassword: beforeOwnPassword.has(`${method} ${path}`),
    slow: trait === 'slow',
    large: trait === 'large',
  }),
);
