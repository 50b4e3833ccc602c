/** Who may only look sees enough of a number to tell two people apart. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 2)}${'•'.repeat(Math.max(0, phone.length - 4))}${phone.slice(-2)}`;
}
