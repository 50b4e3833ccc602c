import { createHmac } from 'node:crypto';

/** Turns a number into the key under which its opt-out is kept: the list says nothing to whoever steals it. */
export type NumberHash = (number: string) => string;

export const createNumberHash =
  (key: string): NumberHash =>
  (number) =>
    createHmac('sha256', key).update(number).digest('hex');
