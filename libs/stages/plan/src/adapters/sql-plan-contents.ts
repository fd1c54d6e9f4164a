import { sqlOf } from '#lib/database';
import type { PlanId, Tx } from '#lib/kernel';
import { CONTENT, RevisionContents, type RevisionContent, type StoredContent } from './revision-contents.js';
import { planEntity } from './plan.entity.js';

const PLAN = planEntity.as('plan');

export const ROW_VERSION = 'plan.xmin::text || plan.ctid::text as row_version';

/** The contents of revisions: each version of a row is read and parsed once. */
export class SqlPlanContents {
  readonly #contents = new RevisionContents();

  /** @param rowVersion as the statement that read the revision's row saw it. */
  async of(tx: Tx, id: PlanId, rowVersion: string): Promise<RevisionContent> {
    return this.#contents.find(tx.tenantId, id, rowVersion) ?? this.#read(tx, id);
  }

  async #read(tx: Tx, id: PlanId): Promise<RevisionContent> {
    const [row] = await sqlOf(tx).query<StoredContent & { readonly row_version: string }>(
      `select ${CONTENT.columns('plan')}, ${ROW_VERSION} from plan where tenant_id = $1 and ${PLAN.id} = $2`,
      [tx.tenantId, id],
    );
    if (row === undefined) throw new Error(`plan ${id} is gone`);
    return this.#contents.keep(tx.tenantId, id, row.row_version, row);
  }
}
