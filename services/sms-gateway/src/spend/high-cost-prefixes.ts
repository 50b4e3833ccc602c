/**
 * Ranges that cost more than the country they seem to belong to. Mobile numbers of Guernsey, Jersey and the Isle of Man
 * share +44 with the United Kingdom.
 */
const islands = {
  GG: ['+447781', '+447839', '+4479111', '+4479117'],
  JE: ['+447509', '+4477003', '+4477007', '+4477008', '+447797', '+447829', '+447937'],
  IM: ['+447457', '+447524', '+447624', '+447924'],
};

/**
 * The default of SMS_UNPAID_PREFIX_CAPS: texts per hour by prefix, 0 for none. Source: the mobile ranges of GG, JE and
 * IM in Google's libphonenumber (metadata of libphonenumber-js 1.13.16). Premium and satellite ranges aren't listed:
 * `@daylift/server/phone-number` refuses them for everyone.
 */
export const highCostPrefixes = Object.values(islands)
  .flat()
  .map((prefix) => `${prefix}=0`)
  .join(',');

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
