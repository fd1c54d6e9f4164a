import { z } from 'zod';
import {
  done,
  err,
  newId,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ChangeAuthority,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type LogFollowing,
  type PersonPrincipal,
  type Result,
  type SiemCollectorId,
  type TenantId,
  type TwoPersonRule,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { addressOf, checkAddress, checkAuthority } from '#lib/webhook';
import { loosenedCollector, type Collector, type CollectorSettings } from '../domain/collector.js';
import { COLLECTOR_FOLLOWER } from './collector-sink.js';
import type { CollectorStore, MayConnect } from './siem.ports.js';

/** The settings of a collector, as a change and its base store them. */
const speltCollector = z.strictObject({ id: z.string(), url: z.string(), ca: z.string().nullable() });
type SpeltCollector = z.infer<typeof speltCollector>;

/** The parts that change the collector. */
export interface ChangeCollectorParts {
  readonly collectors: CollectorStore;
  readonly following: LogFollowing;
  readonly mayConnect: MayConnect;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/**
 * Names the collector of a tenant, or changes it. Another address or authority loosens, and waits for a second person. At another
 * address its token is removed: the former collector's token must not reach it. Events are sent from that moment on.
 *
 * Failures: `siem.address_not_allowed`, `siem.authority_invalid`.
 */
export class ChangeCollector implements CarriesOutChange<SpeltCollector> {
  readonly payload = speltCollector;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: ChangeCollectorParts,
  ) {}

  async execute(by: PersonPrincipal, asked: CollectorSettings): Promise<Result<Guarded<Collector>>> {
    const wanted = { ca: asked.ca, url: addressOf(asked.url) };
    const refused = await this.#refused(by.tenantId, wanted);
    if (refused !== null) return err(refused);
    return this.uow.run(by.tenantId, async (tx) => {
      await this.parts.collectors.lockForChange(tx);
      const before = await this.parts.collectors.find(tx);
      return this.#put(tx, by, before?.id ?? newId<SiemCollectorId>(), wanted);
    });
  }

  async carryOut(tx: Tx, change: ConfirmedChange, payload: SpeltCollector): Promise<Result<Guarded<Collector>>> {
    // The operator's rules about addresses are checked again.
    const refused = await this.#refused(tx.tenantId, payload);
    if (refused !== null) return err(refused);
    await this.parts.collectors.lockForChange(tx);
    const before = await this.parts.collectors.find(tx);
    return this.#put(tx, change, before?.id ?? (payload.id as SiemCollectorId), payload);
  }

  async #refused(tenantId: TenantId, { url, ca }: CollectorSettings): Promise<Failure | null> {
    const address = new URL(url);
    const refused = checkAddress(address, await this.parts.mayConnect(tenantId, address), 'siem');
    return refused ?? (ca === null ? null : checkAuthority(ca, 'siem'));
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    id: SiemCollectorId,
    wanted: CollectorSettings,
  ): Promise<Result<Guarded<Collector>>> {
    const { collectors, following, twoPersonRule, audit } = this.parts;
    const before = await collectors.find(tx);
    const subject = { type: 'siem_collector', id } as const;
    const payload = spelt(id, wanted);
    const base = before === null ? null : spelt(before.id, before);
    const admission = await twoPersonRule.admit(tx, authority, {
      ...{ kind: 'siem_collector', subject, payload, base },
      what: `The SIEM collector at ${wanted.url}`,
      loosens: loosenedCollector(before, wanted),
      detail: { before: base, after: payload },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const createdAt = before?.createdAt ?? (await tx.now());
    await collectors.save(tx, { id, ...wanted, createdBy: before?.createdBy ?? admitted.authorId, createdAt });
    await following.begin(tx, COLLECTOR_FOLLOWER);
    await twoPersonRule.outdate(tx, admitted, {
      kind: 'siem_collector',
      subjectId: id,
      why: `The SIEM collector at ${before?.url ?? wanted.url} was changed meanwhile.`,
      base: () => payload,
    });
    await audit.record(tx, {
      action: before === null ? 'siem_collector.added' : 'siem_collector.changed',
      actor: admitted.actor,
      level: 'full',
      subject,
      payload: { ...payload, ...admitted.provenance },
    });
    const saved = await collectors.find(tx);
    if (saved === null) throw new Error('the collector was saved, and is not there');
    return ok(done(saved, admitted));
  }
}

const spelt = (id: SiemCollectorId, { url, ca }: CollectorSettings): SpeltCollector => ({ id, url, ca });
