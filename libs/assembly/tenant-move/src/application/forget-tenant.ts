import { err, ok, type Result, type TenantId } from '#lib/kernel';
import * as refusals from './move-refusals.js';
import type { SourceCell, SourceKeys } from './move.ports.js';

export interface Forgotten {
  readonly tenantId: TenantId;
  /** How many rows were removed. */
  readonly rows: number;
}

/**
 * Removes the rows of a tenant that moved away, and the keys that signed its log. Its move stays on record. Then the tenant can come
 * back, and until then it is unknown here. An interrupted removal goes on when it is asked for again.
 */
export class ForgetTenant {
  constructor(
    private readonly source: Pick<SourceCell, 'lock' | 'liveMove' | 'purge' | 'advance'>,
    private readonly keys: Pick<SourceKeys, 'forgetSigningKeys'>,
  ) {}

  async execute(slug: string): Promise<Result<Forgotten>> {
    const { source } = this;
    if (!(await source.lock(slug))) return err(refusals.otherCommand);
    const move = await source.liveMove(slug);
    if (move?.state !== 'done') return err(refusals.notMoved);
    const rows = await source.purge(move.tenantId);
    await this.keys.forgetSigningKeys(move.tenantId);
    await source.advance(move, 'forget');
    return ok({ tenantId: move.tenantId, rows });
  }
}
