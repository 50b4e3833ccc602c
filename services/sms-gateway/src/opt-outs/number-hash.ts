import { createHmac } from 'node:crypto';

/** Returns the keyed hash under which a number's opt-out is stored, so a stolen list reveals no numbers. */
export type NumberHash = (number: string) => string;

export const createNumberHash =
  (key: string): NumberHash =>
  (number) =>
    createHmac('sha256', key).update(number).digest('hex');
