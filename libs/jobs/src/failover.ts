/**
 * For Redis clients. After a failover, the former primary keeps its connections but rejects all writes, so connects again,
 * which reaches the new one.
 */
export const reconnectOnError = (error: Error): boolean => error.message.includes('READONLY');
