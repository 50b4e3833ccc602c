import type { ReferralLink } from '@daylift/contracts/accounts.http';
import type { AccountsDeps } from '../deps.ts';
import { createReferralCode, referralUrlOf } from '../users/referral-code.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { lockUser, updateUser } from '../users/users.repository.ts';

/** Returns the user's one code, also for concurrent requests. */
export async function giveReferralLink(
  deps: AccountsDeps,
  session: Session,
): Promise<ReferralLink> {
  const referral_code = await deps.db.transaction().execute(async (trx) => {
    const user = signedIn(await lockUser(trx, session.user_id), session);
    if (user.referral_code !== null) return user.referral_code;
    const code = createReferralCode();
    await updateUser(trx, user.id, { referral_code: code });
    return code;
  });
  return { referral_code, referral_url: referralUrlOf(deps.product.publicUrl, referral_code) };
}
