import { createKeepsake } from '../../components/keepsake.ts';

/** Time zones dismissed on this device. */
const kept = createKeepsake('device', 'travel_hint_dismissed');

export const dismissedZones = (): string[] => {
  const zones = kept.read();
  return Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : [];
};

export const dismissZone = (zone: string): void =>
  kept.keep([...new Set([...dismissedZones(), zone])]);
