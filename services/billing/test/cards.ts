let count = 0;

export const goodCard = (): string => withCheckDigit(`424242${serial(9)}`);
/** Can be attached, but every charge is declined. */
export const failingCard = (): string => withCheckDigit(`400000341${serial(6)}`);

/** The bank requires the owner to confirm each charge. */
export const confirmedCard = (): string => withCheckDigit(`400000276${serial(6)}`);

function serial(length: number): string {
  count += 1;
  return String(count).padStart(length, '0');
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, place) => {
    const doubled = (digits.length - place) % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
