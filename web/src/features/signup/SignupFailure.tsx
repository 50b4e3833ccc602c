import { ApiError } from '@daylift/api-client/request';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { AppLink } from '../../components/AppLink.tsx';
import { paths } from '../../paths.ts';

const isAboutAccount = ({ code }: ApiError): boolean =>
  code === 'GIFT_NEEDS_SIGN_IN' || !/^(PROMOTION|GIFT)_/.test(code);

/** On a conflict the account already exists, so it offers to sign in. */
export const SignupFailure = ({ error }: { error: unknown }) => (
  <ActionFailure action="sign up" error={error}>
    {error instanceof ApiError && error.status === 409 && isAboutAccount(error) ? (
      <AppLink href={paths.login}>Sign In</AppLink>
    ) : null}
  </ActionFailure>
);
