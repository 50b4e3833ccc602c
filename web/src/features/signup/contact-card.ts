/** Returns our number as a vCard, so phones show our name with each text. */
export const contactCard = (name: string, number: string): string => {
  const escaped = name.replaceAll(/[\\,;]/g, (sign) => `\\${sign}`);
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped};;;`,
    `FN:${escaped}`,
    `TEL;TYPE=CELL:${number}`,
    'END:VCARD',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
};
