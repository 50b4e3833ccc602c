import { isIP } from 'node:net';

/**
 * Returns what a limit of one client counts by: an IPv4 address, or the /64 network of an IPv6 address, because its owner
 * can call from any address in it.
 */
export function clientNetwork(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  // In its one spelling, with at most one "::".
  const address = new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1);
  const [start = [], end = []] = address.split('::').map((part) => part.split(':'));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  const groups = [...start, ...zeros, ...end].map((group) => group || '0');
  // An IPv4 address in the form of IPv6.
  if (address.startsWith('::ffff:')) return v4Of(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function v4Of(groups: string[]): string {
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}
