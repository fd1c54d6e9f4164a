import { z } from 'zod';
import {
  done,
  err,
  newId,
  notFound,
  type AuditSink,
  type CarriesOutChange,
  type ChangeAuthority,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type Principal,
  type Result,
  type TwoPersonRule,
  type Tx,
  type UnitOfWork,
  ok,
} from '#lib/kernel';
import { requireAdmin, type ToolRegistry } from '#lib/tool';
import type { SafeToolId } from '../domain/ids.js';
import { acceptedOf, requireListable, type SafeTool } from '../domain/safe-tool.js';
import { endForgedEntry } from './end-forged-entry.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

/** The version of a tool that an admin saw. */
export interface WantedEntry {
  readonly tool: string;
  readonly version: number;
}

/**
 * Puts a tool on the tenant's list of safe tools, at exactly the version that the admin saw. That loosens, so it waits for a second
 * person. An entry of an earlier version gives way to it.
 *
 * Failures: those of {@link requireAdmin}, `resource.not_found`, `automation.not_listable`, `automation.other_version`.
 */
export class AcceptTool implements CarriesOutChange<WantedEntry> {
  readonly payload = wantedEntry;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: SafeToolRepository,
    private readonly tools: Pick<ToolRegistry, 'resolve'>,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: Principal, wanted: WantedEntry): Promise<Result<Guarded<SafeTool>>> {
    const admin = requireAdmin(by);
    if (!admin.ok) return admin;
    return this.uow.run(by.tenantId, (tx) => this.#accept(tx, admin.value, wanted));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedEntry): Promise<Result<Guarded<SafeTool>>> {
    return this.#accept(tx, change, wanted);
  }

  async #accept(tx: Tx, authority: ChangeAuthority, wanted: WantedEntry): Promise<Result<Guarded<SafeTool>>> {
    await this.entries.lockForChange(tx);
    const found = await this.tools.resolve(tx, wanted.tool, { lock: 'share' });
    if (found === null) return err(notFound('tool'));
    if (found.version !== wanted.version) return err(otherVersion(wanted, found.version));
    const accepted = acceptedOf(found);
    const listable = requireListable(accepted);
    if (!listable.ok) return listable;
    const { tool, version, digest, effect, risk } = accepted;
    const standing = await this.entries.find(tx, tool);
    if (standing?.digest === digest) return ok({ outcome: 'done', value: standing, alone: false });
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'automation_safe_tool',
      subject: { type: 'automation_safe_tool', id: tool },
      what: `The tool ${tool} on the list of automation-safe tools`,
      payload: { tool, version },
      base: { tool: digest, entry: standing?.digest ?? null },
      loosens: [`automations may call ${tool}, version ${String(version)}, while nobody watches`],
      detail: { tool, version, digest, effect, risk },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const now = await tx.now();
    const entry = { ...accepted, id: newId<SafeToolId>(), addedBy: admitted.authorId, addedAt: now };
    if (standing !== null) await this.entries.remove(tx, standing, admitted.authorId, now);
    else
      await endForgedEntry(tx, this.entries, this.audit, {
        tool,
        by: admitted.authorId,
        actor: admitted.actor,
        at: now,
      });
    await this.entries.insert(tx, entry);
    await this.twoPersonRule.outdate(tx, admitted, {
      kind: 'automation_safe_tool',
      subjectId: tool,
      why: `The list accepts version ${String(version)} of ${tool} meanwhile.`,
      base: () => ({ tool: digest, entry: digest }),
    });
    await this.audit.record(tx, {
      action: 'automation_safe_tool.added',
      actor: admitted.actor,
      level: 'full_with_evidence',
      subject: { type: 'automation_safe_tool', id: entry.id },
      payload: { tool, version, effect, risk, ...admitted.provenance },
      digests: { tool_digest: digest },
    });
    return ok(done(entry, admitted));
  }
}

const wantedEntry = z.strictObject({ tool: z.string(), version: z.int() });

const otherVersion = ({ tool, version }: WantedEntry, current: number): Failure => ({
  kind: 'conflict',
  code: 'automation.other_version',
  message: `Version ${String(current)} of ${tool} counts now, and not version ${String(version)}.`,
  action: 'Look at the tool as it is now, and name its version.',
});
