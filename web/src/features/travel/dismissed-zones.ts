import { createBrowserStorage } from '../../components/browser-storage.ts';

/** Time zones dismissed on this device. */
const storage = createBrowserStorage('device', 'travel_hint_dismissed');

export const dismissedZones = (): string[] => {
  const zones = storage.read();
  return Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : [];
};

export const dismissZone = (zone: string): void =>
  storage.write([...new Set([...dismissedZones(), zone])]);
