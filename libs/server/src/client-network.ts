import { isIP } from 'node:net';

/**
 * Returns the key for limits per client: an IPv4 address, or the /64 network of an IPv6 address, because a client can
 * use any address in it.
 */
export function clientNetwork(ip: string): string {
  const groups = groupsOf(ip);
  return Array.isArray(groups) ? `${groups.slice(0, 4).join(':')}::/64` : groups;
}

/** Returns the block that a provider assigns as a whole: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function clientBlock(ip: string): string {
  const groups = groupsOf(ip);
  if (Array.isArray(groups)) return `${groups.slice(0, 3).join(':')}::/48`;
  return `${groups.split('.').slice(0, 3).join('.')}.0/24`;
}

/** Returns an IPv4 address, or the groups of an IPv6 address. */
function groupsOf(ip: string): string | string[] {
  if (isIP(ip) !== 6) return ip;
  // Canonical form, with at most one "::".
  const address = new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1);
  const [start = [], end = []] = address.split('::').map((part) => part.split(':'));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  const groups = [...start, ...zeros, ...end].map((group) => group || '0');
  // IPv4 address mapped to IPv6.
  return address.startsWith('::ffff:') ? v4Of(groups.slice(6)) : groups;
}

function v4Of(groups: string[]): string {
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}
