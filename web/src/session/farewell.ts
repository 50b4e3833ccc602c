import { createBrowserStorage } from '../components/browser-storage.ts';

/** One-time flag that shows the goodbye message in the next document. */
const farewell = createBrowserStorage('tab', 'farewell');

export const setFarewell = (): void => farewell.write('due');
export const isFarewellDue = (): boolean => farewell.read() !== null;
export const forgetFarewell = farewell.remove;
