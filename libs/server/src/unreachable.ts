/** System errors for a server that is unreachable or has closed the connection. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Postgres errors: lost connections, a server that starts or stops, too many connections. */
const sqlStates = /^(08\w{3}|57P0[123]|53300)$/;
const driverWords =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect)/;

/** Returns whether an error only means that a server is unreachable, rather than that it rejected the request. */
export function isUnreachable(error: { code?: string | undefined; message: string }): boolean {
  const { code, message } = error;
  if (code === undefined) return driverWords.test(message);
  return systemCodes.has(code) || sqlStates.test(code);
}
