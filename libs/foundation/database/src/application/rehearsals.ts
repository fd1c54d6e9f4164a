import type { Rehearsal, TenantId } from '#lib/kernel';

/**
 * Runs use cases one after another in one transaction that is rolled back. Each sees the writes of the earlier ones,
 * and none of them lasts. Inside, the two-person rule admits each change that would wait for a second person, and notes
 * it.
 */
export interface Rehearsals {
  rehearse<T>(tenantId: TenantId, work: (rehearsal: Rehearsal) => Promise<T>): Promise<T>;
}
