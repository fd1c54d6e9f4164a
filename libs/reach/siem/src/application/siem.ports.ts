import type { TenantId } from '#lib/kernel';

/** A destination of lines. */
export interface OcsfSink {
  /**
   * Keeps lines of one tenant, each without its end, in their order. It returns after they are safe.
   *
   * @throws if it may have kept none, or only some of them.
   */
  write(tenantId: TenantId, lines: readonly string[]): Promise<void>;
}
