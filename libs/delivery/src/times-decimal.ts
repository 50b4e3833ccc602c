/** Multiplies a decimal string by an integer exactly: `0.0040` times 3 is `0.0120`. */
export function timesDecimal(decimal: string, times: number): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const product = (BigInt(whole + fraction) * BigInt(times)).toString();
  if (fraction === '') return product;
  const digits = product.padStart(fraction.length + 1, '0');
  return `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
}
