import type { ServiceContext } from '@daylift/events/run-service';
import { createInternalClient } from '@daylift/server/internal-client';
import { createReadPhone } from '@daylift/server/phone-number';
import { createAdminSecrets } from './admins/admin-secrets.ts';
import { anchorOf, anchorType } from './audit-log/anchors.ts';
import type { AccountsConfig } from './config.ts';
import type { AccountsDatabase } from './database.ts';
import type { AccountsDeps } from './deps.ts';
import { createPasswordHashing } from './sessions/password-hashing.ts';
import { createIdentityHash } from './users/identity-hash.ts';

export async function createDeps(
  config: AccountsConfig,
  { db, clock, log, newestEvent }: ServiceContext<AccountsDatabase>,
): Promise<AccountsDeps> {
  const clientOf = (to: string, baseUrl: string, timeoutMs = 5_000) =>
    createInternalClient({
      key: { issuer: 'accounts', privateKey: config.IDENTITY_PRIVATE_KEY },
      to,
      baseUrl,
      timeoutMs,
    });
  // A response waits for it.
  const sender = clientOf('sms-gateway', config.SMS_GATEWAY_URL, 800);
  return {
    db,
    clock,
    hashing: await createPasswordHashing(config.PASSWORD_HASH_MEMORY),
    jwtPrivateKey: config.JWT_PRIVATE_KEY,
    identityHash: createIdentityHash(config.IDENTITY_HASH_KEY),
    readPhone: createReadPhone(config.ALLOWED_COUNTRIES.split(',')),
    codeKey: config.ONE_TIME_CODE_KEY,
    adminSecrets: createAdminSecrets(config.ADMIN_SECRET_KEY),
    operatorTimeZone: config.OPERATOR_TIMEZONE,
    totpRequired: config.ADMIN_TOTP_REQUIRED === 'on',
    product: {
      name: config.PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
      mailFrom: config.MAIL_FROM,
      publicUrl: config.PUBLIC_URL.replace(/\/$/, ''),
      adminUrl: (config.ADMIN_URL ?? config.PUBLIC_URL).replace(/\/$/, ''),
    },
    readAnchor: async () => {
      const event = await newestEvent(anchorType);
      return event === null ? null : anchorOf(event);
    },
    applyRecipient: (recipient) =>
      sender.post('/internal/recipients', recipient).catch((error: unknown) => {
        const { user_id } = recipient;
        log.warn({ err: error, user_id }, 'change not applied immediately; its event follows');
      }),
    exportParts: {
      billing: clientOf('billing', config.BILLING_URL),
      scheduler: clientOf('scheduler', config.SCHEDULER_URL),
      smsGateway: clientOf('sms-gateway', config.SMS_GATEWAY_URL),
    },
  };
}
