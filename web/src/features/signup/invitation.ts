import { createBrowserStorage } from '../../components/browser-storage.ts';

/**
 * The referral code of the visit, stored on the device because most visitors sign up later. Used for one signup.
 */
const invitation = createBrowserStorage('device', 'signup_ref');

export const rememberInvitation = (code: string): void => invitation.write(code);
export const forgetInvitation = invitation.remove;

export const readInvitation = (): string | null => {
  const code = invitation.read();
  return typeof code === 'string' ? code : null;
};
