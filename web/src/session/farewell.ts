import { createKeepsake } from '../components/keepsake.ts';

/** A word for somebody who deleted their account, carried to the next document and said there once. */
const farewell = createKeepsake('tab', 'farewell');

export const leaveFarewell = (): void => farewell.keep('due');
export const isFarewellDue = (): boolean => farewell.read() !== null;
export const forgetFarewell = farewell.forget;
