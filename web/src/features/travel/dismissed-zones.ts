import { createKeepsake } from '../../components/keepsake.ts';

/** The zones in which the person has said to keep the account's, on this device. */
const kept = createKeepsake('device', 'travel_hint_dismissed');

export const dismissedZones = (): string[] => {
  const zones = kept.read();
  return Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : [];
};

export const dismissZone = (zone: string): void =>
  kept.keep([...new Set([...dismissedZones(), zone])]);
