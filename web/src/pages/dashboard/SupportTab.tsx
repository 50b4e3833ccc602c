import type { Me } from '@daylift/contracts/accounts.http';

export const SupportTab = ({ user: _ }: { user: Me }) => null;
