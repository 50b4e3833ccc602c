interface CrisisLine {
  /** Completes "Please talk to someone now:". */
  call: string;
  emergency: string;
  /** Where the line publishes its number. Check once a year. */
  source: string;
}

const samaritans = { call: 'call Samaritans on 116 123, free, 24/7' };
const us = { call: 'call or text 988, free, 24/7', emergency: '911' };

/** Round-the-clock lines for anyone in distress, by country. */
const crisisLines: Record<string, CrisisLine> = {
  US: { ...us, source: 'https://988lifeline.org' },
  PR: { ...us, source: 'https://988lifeline.org' },
  CA: { ...us, source: 'https://988.ca' },
  GB: { ...samaritans, emergency: '999', source: 'https://www.samaritans.org' },
  IE: { ...samaritans, emergency: '112', source: 'https://www.samaritans.org/ireland' },
  AU: {
    call: 'call Lifeline on 13 11 14, 24/7',
    emergency: '000',
    source: 'https://www.lifeline.org.au',
  },
  NZ: { call: 'call or text 1737, free, 24/7', emergency: '111', source: 'https://1737.org.nz' },
  DE: {
    call: 'call TelefonSeelsorge on 0800 111 0 111, free, 24/7',
    emergency: '112',
    source: 'https://www.telefonseelsorge.de',
  },
  AT: {
    call: 'call TelefonSeelsorge on 142, free, 24/7',
    emergency: '112',
    source: 'https://www.telefonseelsorge.at',
  },
  CH: {
    call: 'call Die Dargebotene Hand on 143, 24/7',
    emergency: '112',
    source: 'https://www.143.ch',
  },
  FR: { call: 'call 3114, free, 24/7', emergency: '112', source: 'https://3114.fr' },
  NL: {
    call: 'call 113 or 0800 0113, free, 24/7',
    emergency: '112',
    source: 'https://www.113.nl',
  },
  ES: { call: 'call 024, free, 24/7', emergency: '112', source: 'https://www.sanidad.gob.es' },
  IN: {
    call: 'call Tele-MANAS on 14416, free, 24/7',
    emergency: '112',
    source: 'https://telemanas.mohfw.gov.in',
  },
  BR: { call: 'call CVV on 188, free, 24/7', emergency: '192', source: 'https://cvv.org.br' },
  MX: {
    call: 'call Linea de la Vida on 800 911 2000, free, 24/7',
    emergency: '911',
    source: 'https://www.gob.mx/conasama',
  },
};

/** Returns the reply to someone who may be in danger, by the country of their number. */
export function crisisText({ productName }: { productName: string }, country: string): string {
  const line = crisisLines[country];
  const call = line?.call ?? 'find a free helpline near you at findahelpline.com';
  const emergency = line?.emergency ?? 'your local emergency number';
  return `${productName}: We're so sorry you're hurting. This is an automated reply. Please talk to someone now: ${call}. In danger? Call ${emergency}.`;
}
