import { createKeepsake } from '../../components/keepsake.ts';

/**
 * The referral code of the visit, stored on the device because most visitors sign up later. Used for one signup.
 */
const invitation = createKeepsake('device', 'signup_ref');

export const rememberInvitation = (code: string): void => invitation.keep(code);
export const forgetInvitation = invitation.forget;

export const readInvitation = (): string | null => {
  const code = invitation.read();
  return typeof code === 'string' ? code : null;
};
