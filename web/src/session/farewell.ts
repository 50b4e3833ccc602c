import { createKeepsake } from '../components/keepsake.ts';

/** One-time flag that shows the goodbye message in the next document. */
const farewell = createKeepsake('tab', 'farewell');

export const leaveFarewell = (): void => farewell.keep('due');
export const isFarewellDue = (): boolean => farewell.read() !== null;
export const forgetFarewell = farewell.forget;
