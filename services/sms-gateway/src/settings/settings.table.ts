import type { Generated } from 'kysely';

export interface TestingModeTable {
  singleton: Generated<boolean>;
  enabled: Generated<boolean>;
  test_phone: string | null;
  /** Grows with each change: a send that was decided under another one is decided again. */
  revision: Generated<number>;
  enabled_at: Date | null;
  enabled_by: string | null;
}

export interface AlertSettingsTable {
  singleton: Generated<boolean>;
  email: Generated<string>;
  threshold_percent: Generated<number>;
  enabled: Generated<boolean>;
}

/** When an alert of a kind last went. */
export interface AlertTimesTable {
  kind: string;
  sent_at: Date;
}

export interface SendPauseTable {
  singleton: Generated<boolean>;
  paused_at: Date | null;
  reason: string | null;
  probe_at: Date | null;
  failed_probes: Generated<number>;
  /** The provider does not work, in contrast to: it refuses us. */
  is_outage: Generated<boolean>;
  /** Calls without a clear answer since the last clear one. */
  unclear_in_a_row: Generated<number>;
}
