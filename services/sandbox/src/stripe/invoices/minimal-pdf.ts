/** Encodes a line in WinAnsi, the file's encoding. */
const encode = (line: string): string =>
  line
    .replaceAll('€', '\x80')
    .replaceAll(/[^ -~\x80\xa0-\xff]/g, '-')
    .replaceAll(/[\\()]/g, (sign) => `\\${sign}`);

/** Returns a PDF of one page with these lines. */
export function minimalPdf(lines: string[]): Buffer {
  const text = lines.map((line) => `(${encode(line)}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf 18 TL 72 720 Td\n${text}\nET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const start = pdf.length;
  const entries = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  pdf += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(pdf, 'latin1');
}
