import { z } from 'zod';
import { decisionSchema } from '#lib/formats';
import type { Entrypoint } from '#lib/policy-inputs';
import { anyJson, parsedValue, sqlOf } from '#lib/database';
import type { DecisionId, Digest, PageRequest, SubjectRef, Tx } from '#lib/kernel';
import type { DecisionLog, LoggedDecision } from '../application/decision-log.js';
import type { PolicyBundle } from '../application/policy-engine.js';
import { entrypointsSchema } from './load-policy-bundle.js';

interface DecisionRow {
  id: DecisionId;
  entrypoint: Entrypoint;
  bundle_revision: string;
  wasm_digest: string;
  input: unknown;
  input_digest: Digest;
  result: unknown;
  decided_at: string;
  subject_type: string;
  subject_id: string;
  within: unknown;
}

const withinSchema: z.ZodType<readonly SubjectRef[]> = z.array(z.object({ type: z.string(), id: z.string() }));
const sourcesSchema = z.record(z.string(), z.string());

const COLUMNS = `id, entrypoint, bundle_revision,
  (select wasm_digest from policy_bundle where revision = bundle_revision) as wasm_digest, input, input_digest, result,
  (extract(epoch from decided_at) * 1000)::bigint as decided_at, subject_type, subject_id, within`;

/** The outermost thing that a thing belongs to, as the first decision about it says. */
const rootOf = (thing: string): string =>
  `(select one.root_id from decision one
     where one.tenant_id = $1 and one.subject_id = ${thing} and one.within <> '[]' order by one.id limit 1)`;

/** The tables of migrations/0060_policy.sql. */
export class SqlDecisionLog implements DecisionLog {
  /** True once this process has seen its bundle in force: then it does not replace a later one. */
  #announced = false;
  /** The last bundle that was seen installed and committed. It is never removed. */
  #kept: string | null = null;

  async record(tx: Tx, logged: LoggedDecision, bundle: PolicyBundle): Promise<void> {
    if (this.#kept !== logged.bundleRevision) await this.#keep(tx, logged.bundleRevision, bundle);
    const { about, decision } = logged;
    sqlOf(tx).callAhead('decision_append', [
      logged.id,
      logged.entrypoint,
      logged.bundleRevision,
      JSON.stringify(logged.input),
      logged.inputDigest,
      JSON.stringify(decision),
      decision.outcome,
      logged.decidedAt,
      about.subject.type,
      about.subject.id,
      JSON.stringify(about.within),
    ]);
  }

  async find(tx: Tx, id: DecisionId): Promise<LoggedDecision | null> {
    const [row] = await sqlOf(tx).query<DecisionRow>(
      `select ${COLUMNS} from decision where tenant_id = $1 and id = $2`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : fromRow(row);
  }

  async list(tx: Tx, within: readonly SubjectRef[], page: PageRequest): Promise<readonly LoggedDecision[]> {
    const parameters: unknown[] = [tx.tenantId, page.limit];
    let where = 'tenant_id = $1';
    const [outermost] = within;
    if (outermost !== undefined) {
      const id = `$${String(parameters.push(outermost.id))}`;
      where += ` and root_id = any(array[${id}, ${rootOf(id)}])`;
    }
    for (const thing of within) where += ` and within @> $${String(parameters.push(JSON.stringify([thing])))}::jsonb`;
    // UUIDv7: the order of ids is the order of time.
    if (page.after !== null) where += ` and id < $${String(parameters.push(page.after.id))}`;
    const rows = await sqlOf(tx).query<DecisionRow>(
      `select ${COLUMNS} from decision where ${where} order by id desc limit $2`,
      parameters,
    );
    return rows.map(fromRow);
  }

  async findBundle(tx: Tx, revision: string): Promise<PolicyBundle | null> {
    const [row] = await sqlOf(tx).query<{
      wasm_digest: string;
      entrypoints: unknown;
      sources: unknown;
      wasm: Uint8Array;
    }>('select wasm_digest, entrypoints, sources, wasm from policy_bundle where revision = $1', [revision]);
    if (row === undefined) return null;
    const at = (column: string) => ({ table: 'policy_bundle', column, id: revision });
    return {
      revision,
      wasmDigest: row.wasm_digest,
      entrypoints: parsedValue(entrypointsSchema, row.entrypoints, at('entrypoints')),
      sources: parsedValue(sourcesSchema, row.sources, at('sources')),
      wasm: row.wasm,
    };
  }

  async lockBundleHead(tx: Tx, bundle: PolicyBundle): Promise<string> {
    if (!this.#announced) await this.#announce(tx, bundle);
    const [head] = await sqlOf(tx).query<{ revision: string }>('select revision from bundle_head for share');
    if (head === undefined) {
      await this.#announce(tx, bundle);
      return bundle.revision;
    }
    // Only committed rows count: this transaction may still roll back.
    return head.revision;
  }

  async #announce(tx: Tx, bundle: PolicyBundle): Promise<void> {
    const [head] = await sqlOf(tx).query<{ revision: string }>('select revision from bundle_head');
    if (head?.revision === bundle.revision) {
      this.#announced = true;
      return;
    }
    await this.#install(tx, bundle);
    await sqlOf(tx).execute(
      `insert into bundle_head (revision) values ($1)
       on conflict (the_one) do update set revision = excluded.revision, changed_at = clock_timestamp()
       where bundle_head.revision <> excluded.revision`,
      [bundle.revision],
    );
  }

  async #install(tx: Tx, bundle: PolicyBundle): Promise<void> {
    await sqlOf(tx).execute(
      `insert into policy_bundle (revision, wasm_digest, entrypoints, sources, wasm) values ($1, $2, $3, $4, $5)
       on conflict (revision) do nothing`,
      [
        bundle.revision,
        bundle.wasmDigest,
        JSON.stringify(bundle.entrypoints),
        JSON.stringify(bundle.sources),
        Buffer.from(bundle.wasm),
      ],
    );
  }

  /** Installs the bundle of a decision if it is missing. */
  async #keep(tx: Tx, revision: string, bundle: PolicyBundle): Promise<void> {
    const [found] = await sqlOf(tx).query<{ own: boolean }>(
      `select xmin = pg_current_xact_id_if_assigned()::xid is true as own from policy_bundle where revision = $1`,
      [revision],
    );
    // A rollback removes the bundle that this transaction installed.
    if (found !== undefined) this.#kept = found.own ? null : revision;
    else if (revision === bundle.revision) await this.#install(tx, bundle);
    else throw new Error("A decision names a bundle that is not the engine's own.");
  }
}

function fromRow(row: DecisionRow): LoggedDecision {
  const at = (column: string) => ({ table: 'decision', column, id: row.id });
  return {
    id: row.id,
    entrypoint: row.entrypoint,
    bundleRevision: row.bundle_revision,
    wasmDigest: row.wasm_digest,
    // Its shape is that of the policies of its time.
    input: parsedValue(anyJson, row.input, at('input')),
    inputDigest: row.input_digest,
    decision: parsedValue(decisionSchema, row.result, at('result')),
    decidedAt: Number(row.decided_at),
    about: {
      subject: { type: row.subject_type, id: row.subject_id },
      within: parsedValue(withinSchema, row.within, at('within')),
    },
  };
}
