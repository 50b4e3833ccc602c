import type { Generated } from 'kysely';

export interface TestingModeTable {
  singleton: Generated<boolean>;
  enabled: Generated<boolean>;
  test_phone: string | null;
  /** Grows with each change; a send decided under an older revision is decided again. */
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

/** When an alert of a kind was last sent. */
export interface AlertTimesTable {
  kind: string;
  sent_at: Date;
}

export interface SendPauseTable {
  singleton: Generated<boolean>;
  paused_at: Date | null;
  resumed_at: Date | null;
  reason: string | null;
  probe_at: Date | null;
  failed_probes: Generated<number>;
  /** The provider is down, rather than refusing our account. */
  is_outage: Generated<boolean>;
  /** Unclear responses since the last clear one. */
  unclear_in_a_row: Generated<number>;
}
