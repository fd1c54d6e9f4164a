import { z } from 'zod';
import {
  done,
  err,
  ok,
  type AuditLevel,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import {
  LEVELS,
  loosenedRetention,
  MAXIMUM_DAYS,
  MINIMUM_DAYS,
  outOfRange,
  shorterThanBelow,
  type RetentionRule,
} from '../domain/retention-rule.js';
import type { AuditTreeStore, PayloadRetention } from './audit.ports.js';

/**
 * Sets how long payloads are kept, by the level of their entry. A shorter time waits for a second person, since an
 * erased payload does not come back. A longer time takes effect at once.
 *
 * Failures: `audit.retention_out_of_range`, `audit.retention_not_monotonic`.
 */
export class SetPayloadRetention implements CarriesOutChange<RetentionRule> {
  readonly payload = storedRule;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly tree: Pick<AuditTreeStore, 'lock'>,
    private readonly retention: PayloadRetention,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  read(tenantId: TenantId): Promise<RetentionRule> {
    return this.uow.run(tenantId, (tx) => this.retention.rule(tx));
  }

  execute(by: PersonPrincipal, wanted: RetentionRule): Promise<Result<Guarded<RetentionRule>>> {
    return this.uow.run(by.tenantId, (tx) => this.#set(tx, by, wanted));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: RetentionRule): Promise<Result<Guarded<RetentionRule>>> {
    return this.#set(tx, change, wanted);
  }

  async #set(tx: Tx, authority: ChangeAuthority, wanted: RetentionRule): Promise<Result<Guarded<RetentionRule>>> {
    const wrong = refusal(wanted);
    if (wrong !== null) return err(wrong);
    await this.tree.lock(tx);
    const before = await this.retention.rule(tx);
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'audit_retention',
      subject: { type: 'tenant', id: tx.tenantId },
      what: 'How long the payloads of the audit log are kept',
      payload: { ...wanted },
      base: { ...before },
      loosens: loosenedRetention(before, wanted),
      detail: { before: { ...before }, after: { ...wanted } },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    await this.retention.setRule(tx, wanted, await tx.now());
    const after = await this.retention.rule(tx);
    await this.twoPersonRule.outdate(tx, admitted, {
      kind: 'audit_retention',
      why: 'How long payloads are kept was changed meanwhile.',
      base: () => ({ ...after }),
    });
    await this.audit.record(tx, {
      action: 'audit_retention.set',
      actor: admitted.actor,
      level: 'full_with_evidence',
      subject: { type: 'audit_retention', id: tx.tenantId },
      payload: { keep_days: { ...wanted }, before: { ...before }, ...admitted.provenance },
    });
    return ok(done(wanted, admitted));
  }
}

const days = z.number().nullable();
const storedRule: z.ZodType<RetentionRule> = z.strictObject({
  basic: days,
  detailed: days,
  full: days,
  full_with_evidence: days,
  critical: days,
});

function refusal(wanted: RetentionRule): Failure | null {
  const range = outOfRange(wanted);
  if (range !== undefined)
    return failure(
      range,
      'audit.retention_out_of_range',
      `Payloads of the level ${range} are kept for ${String(MINIMUM_DAYS[range])} to ${String(MAXIMUM_DAYS)} days, or for ever.`,
      'Send a whole number of days in that range, or null for ever.',
    );
  const shorter = shorterThanBelow(wanted);
  return shorter === undefined
    ? null
    : failure(
        shorter,
        'audit.retention_not_monotonic',
        `The level ${shorter} would be kept less long than the level ${LEVELS[LEVELS.indexOf(shorter) - 1] ?? ''} below it.`,
        `Keep each level at least as long as the one below it: ${LEVELS.join(', ')}.`,
      );
}

const failure = (level: AuditLevel, code: string, message: string, action: string): Failure => ({
  kind: 'unprocessable',
  code,
  message,
  action,
  errors: [{ pointer: `/keep_days/${level}`, code, message }],
});
