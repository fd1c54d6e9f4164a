import { z } from 'zod';
import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import { toolDocumentSchema, type ToolDocument } from '#lib/formats';
import {
  digestText,
  done,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type AdmittedChange,
  type ConfirmedChange,
  type Failure,
  type FieldError,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PlanId,
  type Principal,
  type Result,
  type ToolVersionId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import {
  loosenedByCatalog,
  planCatalogChange,
  refusedWhileInUse,
  type CatalogChange,
  type Keep,
  type ToolChange,
} from '../domain/plan-catalog-change.js';
import type { ToolHead } from '../domain/tool-version.js';
import { requireAdmin } from './require-admin.js';
import type { ToolRepository, ToolUsage } from './tool.ports.js';

/** One change, with the plans that are alive and hold the tool. */
export interface AppliedToolChange extends ToolChange {
  readonly livePlans: readonly PlanId[];
}

export interface CatalogChangeResult {
  readonly dryRun: boolean;
  readonly changes: readonly AppliedToolChange[];
  /** In words, the protections that it loosens; then it waits for a second person. */
  readonly loosens: readonly string[];
  readonly warnings: readonly FieldError[];
}

export interface CatalogChangeOptions {
  readonly keep: Keep;
  readonly dryRun: boolean;
  /** The pointer of a tool in the submitted document. */
  readonly at?: (name: string) => string;
}

/**
 * Changes the tools of a tenant, one or all at once: everything or nothing. A changed tool is a new version. A change that
 * would remove or loosen a tool that a live plan holds is refused (`tool.in_use`) with the plans. A dry run reports the
 * changes and writes nothing. A document that loosens a tool, or adds one, waits as a whole for a second person.
 */
export class ChangeCatalog implements CarriesOutChange<WantedCatalog> {
  readonly payload = wantedCatalog;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly tools: ToolRepository,
    private readonly usage: ToolUsage,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    principal: Principal,
    submitted: ReadonlyMap<string, ToolDocument>,
    options: CatalogChangeOptions,
  ): Promise<Result<Guarded<CatalogChangeResult>>> {
    const admin = requireAdmin(principal);
    if (!admin.ok) return admin;
    return this.uow.run(principal.tenantId, (tx) => this.#change(tx, admin.value, submitted, options));
  }

  carryOut(
    tx: Tx,
    change: ConfirmedChange,
    { keep, tools }: WantedCatalog,
  ): Promise<Result<Guarded<CatalogChangeResult>>> {
    return this.#change(tx, change, new Map(Object.entries(tools)), { keep, dryRun: false });
  }

  /** Removes one tool; its versions stay for plans and evidence. */
  async remove(principal: Principal, name: string): Promise<Result<Guarded<CatalogChangeResult>>> {
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
      return this.#apply(tx, admin.value, { changes: [change], warnings: [] }, { payload: null, heads, dryRun: false });
    });
  }

  async #change(
    tx: Tx,
    authority: ChangeAuthority,
    submitted: ReadonlyMap<string, ToolDocument>,
    options: CatalogChangeOptions,
  ): Promise<Result<Guarded<CatalogChangeResult>>> {
    await this.tools.lockForChange(tx);
    const heads = await this.tools.heads(tx);
    const planned = planCatalogChange(heads, submitted, options.keep, options.at);
    if (!planned.ok) return err(invalidCatalog(planned.error));
    const payload: WantedCatalog = { keep: options.keep, tools: Object.fromEntries(submitted) };
    return this.#apply(tx, authority, planned.value, {
      // A schema read each definition from JSON.
      payload: payload as unknown as Json,
      heads,
      dryRun: options.dryRun,
    });
  }

  async #apply(
    tx: Tx,
    authority: ChangeAuthority,
    planned: CatalogChange,
    about: { readonly payload: Json; readonly heads: ReadonlyMap<string, ToolHead>; readonly dryRun: boolean },
  ): Promise<Result<Guarded<CatalogChangeResult>>> {
    const live = await this.usage.livePlans(
      tx,
      planned.changes.filter(({ change }) => change === 'update' || change === 'remove').map(({ name }) => name),
    );
    const changes = planned.changes.map((change) => ({ ...change, livePlans: live.get(change.name) ?? [] }));
    const loosens = loosenedByCatalog(planned.changes);
    const result: CatalogChangeResult = { dryRun: about.dryRun, changes, loosens, warnings: planned.warnings };
    if (about.dryRun) return ok({ outcome: 'done', value: result, alone: false });
    const refused = changes.filter((change) => refusedWhileInUse(change, change.livePlans));
    if (refused.length > 0) return err(inUse(refused));
    const changed = changes.filter(({ change }) => change !== 'unchanged');
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'tool_catalog',
      subject:
        changed.length === 1 ? { type: 'tool', id: changed[0]?.name ?? '' } : { type: 'tool_catalog', id: 'tools' },
      what: inOneLine(changed),
      payload: about.payload,
      base: baseOf(changes, about.heads),
      loosens,
      detail: { tools: changed.map((change) => detailOf(change, about.heads.get(change.name))) },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const now = await tx.now();
    for (const change of changes) await this.#write(tx, admitted, change, now);
    if (changed.length > 0) await this.#outdateOthers(tx, admitted, inOneLine(changed));
    return ok(done(result, admitted));
  }

  /** Voids the change requests on a tool just written; each waiting document is planned anew. */
  async #outdateOthers(tx: Tx, admitted: AdmittedChange, what: string): Promise<void> {
    const heads = await this.tools.heads(tx);
    await this.twoPersonRule.outdate(tx, admitted, {
      kind: 'tool_catalog',
      why: `${what} changed meanwhile.`,
      base: (payload) => {
        const wanted = wantedCatalog.safeParse(payload).data;
        if (wanted === undefined) return null;
        const planned = planCatalogChange(heads, new Map(Object.entries(wanted.tools)), wanted.keep);
        return planned.ok ? baseOf(planned.value.changes, heads) : null;
      },
    });
  }

  async #write(tx: Tx, admitted: AdmittedChange, change: AppliedToolChange, now: number): Promise<void> {
    if (change.change === 'unchanged') return;
    if (change.definition === null) await this.tools.remove(tx, change.name, now);
    else {
      // A schema read it from JSON.
      const text = canonicalJson(change.definition as Json);
      const version = {
        id: newId<ToolVersionId>(),
        name: change.name,
        version: change.toVersion ?? 1,
        digest: digestText('tool', text),
      };
      await this.tools.addVersion(tx, { ...version, definition: change.definition }, text, admitted.authorId, now);
    }
    await this.audit.record(tx, {
      action: `tool.${PAST_TENSE[change.change]}`,
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'tool', id: change.name },
      payload: {
        name: change.name,
        from_version: change.fromVersion,
        to_version: change.toVersion,
        fields: change.fields,
        loosens: change.loosens,
        live_plans: change.livePlans,
        // A schema read it from JSON.
        definition: change.definition as Json,
        ...admitted.provenance,
      },
    });
  }
}

const wantedCatalog = z.strictObject({
  keep: z.enum(['others_stay', 'others_go'] satisfies Keep[]),
  tools: z.record(z.string(), toolDocumentSchema),
});
type WantedCatalog = z.infer<typeof wantedCatalog>;

/** Every tool that a change is about, as it is before. */
const baseOf = (changes: readonly ToolChange[], heads: ReadonlyMap<string, ToolHead>): Json =>
  changes
    .filter(({ change }) => change !== 'unchanged')
    .map(({ name }) => ({ name, digest: digestOfHead(heads.get(name)) }));

const digestOfHead = (head: ToolHead | undefined): Json =>
  head === undefined ? null : { version: head.current.version, removed: head.removed };

function inOneLine(changed: readonly ToolChange[]): string {
  const names = changed.map(({ name }) => name);
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `Tools: ${shown} and ${String(names.length - 5)} more` : `Tools: ${shown}`;
}

/** A definition by the names of its members. A schema read it from JSON. */
const membersOf = (definition: object | null): JsonObject | null => definition as JsonObject | null;

/** One tool as somebody looks at it before they confirm: the fields that differ, before and after. */
function detailOf(change: ToolChange, head: ToolHead | undefined): Json {
  const before = membersOf(head?.current.definition ?? null);
  const after = membersOf(change.definition);
  const pick = (definition: JsonObject | null): Json =>
    definition === null
      ? null
      : change.fields.length === 0
        ? definition
        : Object.fromEntries(change.fields.map((field) => [field, definition[field] ?? null]));
  return {
    name: change.name,
    change: change.change,
    loosens: [...change.loosens],
    before: head?.removed === true && change.fields.length === 0 ? null : pick(before),
    after: pick(after),
  };
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
  action: 'Correct the listed errors, and try again.',
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
