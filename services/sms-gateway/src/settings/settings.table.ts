import type { Generated } from 'kysely';

export interface TestingModeTable {
  singleton: Generated<boolean>;
  enabled: Generated<boolean>;
  test_phone: string | null;
  revision: Generated<number>;
}

export interface SendPauseTable {
  singleton: Generated<boolean>;
  paused_at: Date | null;
  reason: string | null;
  probe_at: Date | null;
  failed_probes: Generated<number>;
}
