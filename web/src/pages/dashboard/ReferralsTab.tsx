import type { Me } from '@daylift/contracts/accounts.http';

export const ReferralsTab = ({ user: _ }: { user: Me }) => null;
