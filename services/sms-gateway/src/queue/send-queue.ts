/** The queue of texts in Redis; more shards spread it over the nodes of a cluster. */
export const queueName = 'sms-send';
export const queueShards = 1;
