/**
 * The default of SMS_UNPAID_PREFIX_CAPS: a mobile range of the Isle of Man that libphonenumber-js 1.13.16 takes for
 * British. The other ranges of the Isle of Man, Guernsey and Jersey are rejected as their own countries.
 */
export const highCostPrefixes = '+447924=0';

/** Parses `+44=50,+447781=0`. */
export function readPrefixCaps(list: string): Map<string, number> {
  return new Map(
    list
      .split(',')
      .filter((one) => one !== '')
      .map((one) => {
        const [prefix = '', texts] = one.split('=');
        return [prefix, Number(texts)];
      }),
  );
}

/** Returns the cap with the longest matching prefix. */
export function findPrefixCap(
  caps: Map<string, number>,
  phone: string,
): { prefix: string; perHour: number } | null {
  for (let length = phone.length; length > 1; length -= 1) {
    const perHour = caps.get(phone.slice(0, length));
    if (perHour !== undefined) return { prefix: phone.slice(0, length), perHour };
  }
  return null;
}
