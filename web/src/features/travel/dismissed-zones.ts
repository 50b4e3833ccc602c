const key = 'travel_hint_dismissed';

/** The zones in which the person has said to keep the account's, on this device. */
export const dismissedZones = (): string[] => {
  try {
    const zones: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]');
    return Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : [];
  } catch {
    return [];
  }
};

export const dismissZone = (zone: string): void => {
  try {
    window.localStorage.setItem(key, JSON.stringify([...new Set([...dismissedZones(), zone])]));
  } catch {
    // Without storage the hint is gone for this page only.
  }
};
