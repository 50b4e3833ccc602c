import { isIP } from 'node:net';

/**
 * Returns the key for limits per client: an IPv4 address, or the /64 network of an IPv6 address, because a client can
 * use any address in it.
 */
export function clientNetwork(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  // Canonical form, with at most one "::".
  const address = new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1);
  const [start = [], end = []] = address.split('::').map((part) => part.split(':'));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  const groups = [...start, ...zeros, ...end].map((group) => group || '0');
  // IPv4 address mapped to IPv6.
  if (address.startsWith('::ffff:')) return v4Of(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function v4Of(groups: string[]): string {
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}
