import { rowsOf, sqlOf } from '#lib/database';
import type { DecisionId, PageRequest, SubjectRef, Tx } from '#lib/kernel';
import type { DecisionLog, LoggedDecision } from '../application/decision-log.js';
import type { PolicyBundle } from '../application/policy-engine.js';
import { bundleHeadEntity, decisionEntity, policyBundleEntity } from './policy.entity.js';

const POLICY_BUNDLE = policyBundleEntity.as('policy_bundle');
const DECISION = decisionEntity.as('decision');
const ONE = decisionEntity.as('one');
const COLUMN = bundleHeadEntity.column;
const BUNDLE_HEAD = bundleHeadEntity.as('bundle_head');

const DECISION_ROW = decisionEntity.all;

const SELECT = `select ${DECISION_ROW.columns('decision')},
  (select ${POLICY_BUNDLE.wasmDigest} from policy_bundle where ${POLICY_BUNDLE.revision} = ${DECISION.bundleRevision}) as "wasmDigest"
    from decision`;

/** By hand: each submission and each call locks it, and TypeORM doubles the cost. */
const LOCKED_HEAD = `select ${bundleHeadEntity.pick('revision').columns('bundle_head')} from bundle_head for share`;

interface WithModule {
  readonly wasmDigest: string;
}

/** The outermost thing that a thing belongs to, as the first decision about it says. */
const rootOf = (thing: string): string =>
  `(select one.root_id from decision one
     where one.tenant_id = $1 and ${ONE.subjectId} = ${thing} and ${ONE.within} <> '[]' order by ${ONE.id} limit 1)`;

/** The tables of migrations/0060_policy.sql. */
export class SqlDecisionLog implements DecisionLog {
  /** True once this process has seen its bundle in force: then it does not replace a later one. */
  #announced = false;
  /** The last bundle that was seen installed and committed. It is never removed. */
  #kept: string | null = null;

  async record(tx: Tx, logged: LoggedDecision, bundle: PolicyBundle): Promise<void> {
    if (this.#kept !== logged.bundleRevision) await this.#keep(tx, logged.bundleRevision, bundle);
    const { about, decision: result, ...plain } = logged;
    const { subject, within } = about;
    const row = { ...plain, result, outcome: result.outcome, subjectType: subject.type, subjectId: subject.id, within };
    // Its parameters are the columns of the entity, in their order: a single document costs a tenth more.
    sqlOf(tx).callAhead('decision_append', DECISION_ROW.parametersOf(row));
  }

  async find(tx: Tx, id: DecisionId): Promise<LoggedDecision | null> {
    const [row] = await sqlOf(tx).query<WithModule>(`${SELECT} where tenant_id = $1 and ${DECISION.id} = $2`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : loggedOf(row);
  }

  async list(tx: Tx, within: readonly SubjectRef[], page: PageRequest): Promise<readonly LoggedDecision[]> {
    const parameters: unknown[] = [tx.tenantId, page.limit];
    let where = 'tenant_id = $1';
    const [outermost] = within;
    if (outermost !== undefined) {
      const id = `$${String(parameters.push(outermost.id))}`;
      where += ` and root_id = any(array[${id}, ${rootOf(id)}])`;
    }
    for (const thing of within)
      where += ` and ${DECISION.within} @> $${String(parameters.push(JSON.stringify([thing])))}::jsonb`;
    // UUIDv7: the order of ids is the order of time.
    if (page.after !== null) where += ` and ${DECISION.id} < $${String(parameters.push(page.after.id))}`;
    const rows = await sqlOf(tx).query<WithModule>(
      `${SELECT} where ${where} order by ${DECISION.id} desc limit $2`,
      parameters,
    );
    return rows.map(loggedOf);
  }

  findBundle(tx: Tx, revision: string): Promise<PolicyBundle | null> {
    return rowsOf(tx, policyBundleEntity).findOne({ revision });
  }

  async lockBundleHead(tx: Tx, bundle: PolicyBundle): Promise<string> {
    if (!this.#announced) await this.#announce(tx, bundle);
    const [head] = await sqlOf(tx).query<{ revision: string }>(LOCKED_HEAD);
    if (head === undefined) {
      await this.#announce(tx, bundle);
      return bundle.revision;
    }
    // Only committed rows count: this transaction may still roll back.
    return head.revision;
  }

  async #announce(tx: Tx, bundle: PolicyBundle): Promise<void> {
    const head = await rowsOf(tx, bundleHeadEntity).findOne({});
    if (head?.revision === bundle.revision) {
      this.#announced = true;
      return;
    }
    await this.#install(tx, bundle);
    await sqlOf(tx).execute(
      `insert into bundle_head (${COLUMN.revision}) values ($1)
       on conflict (${COLUMN.theOne}) do update set ${COLUMN.revision} = excluded.${COLUMN.revision}, changed_at = clock_timestamp()
       where ${BUNDLE_HEAD.revision} <> excluded.${COLUMN.revision}`,
      [bundle.revision],
    );
  }

  async #install(tx: Tx, bundle: PolicyBundle): Promise<void> {
    await rowsOf(tx, policyBundleEntity).insertUnless(['revision'], { ...bundle, wasm: Buffer.from(bundle.wasm) });
  }

  /** Installs the bundle of a decision if it is missing. */
  async #keep(tx: Tx, revision: string, bundle: PolicyBundle): Promise<void> {
    const [found] = await sqlOf(tx).query<{ own: boolean }>(
      `select xmin = pg_current_xact_id_if_assigned()::xid is true as own from policy_bundle where ${POLICY_BUNDLE.revision} = $1`,
      [revision],
    );
    // A rollback removes the bundle that this transaction installed.
    if (found !== undefined) this.#kept = found.own ? null : revision;
    else if (revision === bundle.revision) await this.#install(tx, bundle);
    else throw new Error("A decision names a bundle that is not the engine's own.");
  }
}

function loggedOf(stored: WithModule): LoggedDecision {
  const { subjectType, subjectId, within, result, outcome: _, ...plain } = DECISION_ROW.row(stored);
  return { ...plain, decision: result, about: { subject: { type: subjectType, id: subjectId }, within } };
}
