import { canonicalJson, type Json } from '#lib/canonical';
import type { ToolDocument } from '#lib/contracts';
import {
  actorOf,
  digestText,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type FieldError,
  type PersonPrincipal,
  type PlanId,
  type Principal,
  type Result,
  type ToolVersionId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { planCatalogChange, refusedWhileInUse, type Keep, type ToolChange } from '../domain/plan-catalog-change.js';
import { requireAdmin } from './require-admin.js';
import type { ToolRepository, ToolUsage } from './tool.ports.js';

/** One change, with the plans that are alive and hold the tool. */
export interface AppliedToolChange extends ToolChange {
  readonly livePlans: readonly PlanId[];
}

export interface CatalogChangeResult {
  readonly dryRun: boolean;
  readonly changes: readonly AppliedToolChange[];
  readonly warnings: readonly FieldError[];
}

export interface CatalogChangeOptions {
  readonly keep: Keep;
  readonly dryRun: boolean;
  /** Where a tool stands in the submitted document. */
  readonly at?: (name: string) => string;
}

/**
 * Changes the tools of a tenant, one or all at once: everything or nothing. A changed tool is a new version; what would
 * remove or loosen a tool that a live plan holds is refused (`tool.in_use`) with the plans. A dry run says what would
 * happen and writes nothing.
 */
export class ChangeCatalog {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tools: ToolRepository,
    private readonly usage: ToolUsage,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    principal: Principal,
    submitted: ReadonlyMap<string, ToolDocument>,
    options: CatalogChangeOptions,
  ): Promise<Result<CatalogChangeResult>> {
    const admin = requireAdmin(principal);
    if (!admin.ok) return admin;
    return this.uow.run(principal.tenantId, async (tx) => {
      await this.tools.lockForChange(tx);
      const heads = await this.tools.heads(tx);
      const planned = planCatalogChange(heads, submitted, options.keep, options.at);
      if (!planned.ok) return err(invalidCatalog(planned.error));
      return this.apply(tx, admin.value, planned.value.changes, planned.value.warnings, options.dryRun);
    });
  }

  /** Removes one tool; its versions stay for plans and evidence. */
  async remove(principal: Principal, name: string): Promise<Result<CatalogChangeResult>> {
    const admin = requireAdmin(principal);
    if (!admin.ok) return admin;
    return this.uow.run(principal.tenantId, async (tx) => {
      await this.tools.lockForChange(tx);
      const heads = await this.tools.heads(tx);
      const head = heads.get(name);
      if (head === undefined || head.removed) return err(notFound('tool'));
      const dependants = [...heads.values()].filter(
        (other) => !other.removed && other.current.definition.simulated_by === name,
      );
      if (dependants.length > 0)
        return err(
          stillPredicts(
            name,
            dependants.map((other) => other.name),
          ),
        );
      const change: ToolChange = {
        name,
        change: 'remove',
        fromVersion: head.current.version,
        toVersion: null,
        fields: [],
        loosens: [],
        definition: null,
      };
      return this.apply(tx, admin.value, [change], [], false);
    });
  }

  private async apply(
    tx: Tx,
    admin: PersonPrincipal,
    planned: readonly ToolChange[],
    warnings: readonly FieldError[],
    dryRun: boolean,
  ): Promise<Result<CatalogChangeResult>> {
    const live = await this.usage.livePlans(
      tx,
      planned.filter(({ change }) => change === 'update' || change === 'remove').map(({ name }) => name),
    );
    const changes = planned.map((change) => ({ ...change, livePlans: live.get(change.name) ?? [] }));
    const result: CatalogChangeResult = { dryRun, changes, warnings };
    if (dryRun) return ok(result);
    const refused = changes.filter((change) => refusedWhileInUse(change, change.livePlans));
    if (refused.length > 0) return err(inUse(refused));
    const now = await tx.now();
    for (const change of changes) await this.write(tx, admin, change, now);
    return ok(result);
  }

  private async write(tx: Tx, admin: PersonPrincipal, change: AppliedToolChange, now: number): Promise<void> {
    if (change.change === 'unchanged') return;
    if (change.definition === null) await this.tools.remove(tx, change.name, now);
    else {
      const text = canonicalJson(change.definition as Json);
      const version = {
        id: newId<ToolVersionId>(),
        name: change.name,
        version: change.toVersion ?? 1,
        digest: digestText('tool', text),
      };
      await this.tools.addVersion(tx, { ...version, definition: change.definition }, text, admin.personId, now);
    }
    await this.audit.record(tx, {
      action: `tool.${PAST_TENSE[change.change]}`,
      actor: actorOf(admin),
      level: 'full',
      subject: { type: 'tool', id: change.name },
      payload: {
        name: change.name,
        from_version: change.fromVersion,
        to_version: change.toVersion,
        fields: change.fields,
        loosens: change.loosens,
        live_plans: change.livePlans,
        definition: change.definition as Json,
      },
    });
  }
}

const PAST_TENSE = { create: 'created', update: 'updated', remove: 'removed' } as const;

/** The failure for a catalog or tool that says something wrong. */
const invalidCatalog = (errors: readonly FieldError[]): Failure => ({
  kind: 'unprocessable',
  code: 'tool.invalid_definition',
  message:
    errors.length === 1
      ? 'One thing in the definition is wrong.'
      : `${String(errors.length)} things in the definition are wrong.`,
  action: 'Correct what is listed and put it again; ?dry_run=true checks without changing anything.',
  errors,
});

function inUse(refused: readonly AppliedToolChange[]): Failure {
  return {
    kind: 'conflict',
    code: 'tool.in_use',
    message: `Plans that are still alive hold ${refused.map(({ name }) => name).join(', ')}; a tool in use is neither removed nor loosened.`,
    action: 'Withdraw these plans or wait until they have ended, then put it again.',
    details: {
      tools: refused.map(({ name, change, loosens, livePlans }) => ({ name, change, loosens, plans: livePlans })),
      plans: [...new Set(refused.flatMap(({ livePlans }) => livePlans))],
    },
  };
}

function stillPredicts(name: string, dependants: readonly string[]): Failure {
  return {
    kind: 'conflict',
    code: 'tool.predicts_others',
    message: `${name} simulates ${dependants.join(', ')}.`,
    action: 'Give those tools another simulated_by, or remove them first.',
    details: { tools: dependants },
  };
}
