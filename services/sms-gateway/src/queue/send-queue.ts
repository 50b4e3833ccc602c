/** The BullMQ queue of texts. */
export const queueName = 'sms-texts';
/** Maximum texts per job. */
export const groupSize = 50;
/** Jobs that a worker runs at a time: while one waits for the provider, the next is read and marked. */
export const groupsAtOnce = 4;
