/** The BullMQ queue of texts; more shards spread it over the nodes of a cluster. */
export const queueName = 'sms-send';
export const queueShards = 1;
