import { createKeepsake } from '../../components/keepsake.ts';

/**
 * The referral code that a visitor came with. It is kept beyond the visit: most people look around, leave, and sign up
 * later by another link; the friend who sent them is still owed. It counts for one signup.
 */
const invitation = createKeepsake('device', 'signup_ref');

export const rememberInvitation = (code: string): void => invitation.keep(code);
export const forgetInvitation = invitation.forget;

export const readInvitation = (): string | null => {
  const code = invitation.read();
  return typeof code === 'string' ? code : null;
};
