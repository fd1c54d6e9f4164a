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
  type EmbedderId,
  type Failure,
  type Guarded,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type TwoPersonRule,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { addressOf, checkAddress, checkAuthority } from '#lib/webhook';
import { comparable, loosenedEmbedder, type Embedder, type EmbedderSettings } from '../domain/embedder.js';
import type { EmbedderStore, MayConnect } from './embedder.ports.js';

/** The settings of an embedder, as a change and its base store them. */
const speltEmbedder = z.strictObject({
  id: z.string(),
  url: z.string(),
  ca: z.string().nullable(),
  model: z.string(),
  dimensions: z.int().nullable(),
});
type SpeltEmbedder = z.infer<typeof speltEmbedder>;

/** The parts that change the embedder. */
export interface ChangeEmbedderParts {
  readonly embedders: EmbedderStore;
  readonly mayConnect: MayConnect;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/**
 * Names the embedder of a tenant, or changes it. Another address or authority loosens, and waits for a second person; another model
 * does not. At another address its token is removed: the former embedder's token must not reach it.
 *
 * Failures: `embedder.address_not_allowed`, `embedder.authority_invalid`.
 */
export class ChangeEmbedder implements CarriesOutChange<SpeltEmbedder> {
  readonly payload = speltEmbedder;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: ChangeEmbedderParts,
  ) {}

  async execute(by: PersonPrincipal, asked: EmbedderSettings): Promise<Result<Guarded<Embedder>>> {
    const { ca, model, dimensions } = asked;
    const wanted = { url: addressOf(asked.url), ca, model, dimensions };
    const refused = await this.#refused(by.tenantId, wanted);
    if (refused !== null) return err(refused);
    return this.uow.run(by.tenantId, async (tx) => {
      await this.parts.embedders.lockForChange(tx);
      const before = await this.parts.embedders.find(tx);
      return this.#put(tx, by, before?.id ?? newId<EmbedderId>(), wanted);
    });
  }

  async carryOut(tx: Tx, change: ConfirmedChange, payload: SpeltEmbedder): Promise<Result<Guarded<Embedder>>> {
    // The operator's rules about addresses are checked again.
    const refused = await this.#refused(tx.tenantId, payload);
    if (refused !== null) return err(refused);
    await this.parts.embedders.lockForChange(tx);
    const before = await this.parts.embedders.find(tx);
    return this.#put(tx, change, before?.id ?? (payload.id as EmbedderId), payload);
  }

  async #refused(tenantId: TenantId, { url, ca }: EmbedderSettings): Promise<Failure | null> {
    const address = new URL(url);
    const refused = checkAddress(address, await this.parts.mayConnect(tenantId, address), 'embedder');
    return refused ?? (ca === null ? null : checkAuthority(ca, 'embedder'));
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    id: EmbedderId,
    wanted: EmbedderSettings,
  ): Promise<Result<Guarded<Embedder>>> {
    const { embedders, twoPersonRule, audit } = this.parts;
    const before = await embedders.find(tx);
    const subject = { type: 'embedder', id } as const;
    const payload = spelt(id, wanted);
    const base = before === null ? null : spelt(before.id, before);
    const admission = await twoPersonRule.admit(tx, authority, {
      ...{ kind: 'embedder', subject, payload, base },
      what: `The embedder at ${wanted.url}`,
      loosens: loosenedEmbedder(before, wanted),
      detail: { before: base, after: payload },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    await embedders.save(tx, {
      ...{ id, ...wanted },
      generation: before === null ? 1 : before.generation + (comparable(before, wanted) ? 0 : 1),
      createdBy: before?.createdBy ?? admitted.authorId,
      createdAt: before?.createdAt ?? (await tx.now()),
    });
    await twoPersonRule.outdate(tx, admitted, {
      kind: 'embedder',
      subjectId: id,
      why: `The embedder at ${before?.url ?? wanted.url} was changed meanwhile.`,
      base: () => payload,
    });
    await audit.record(tx, {
      action: before === null ? 'embedder.added' : 'embedder.changed',
      actor: admitted.actor,
      level: 'full',
      subject,
      payload: { ...payload, ...admitted.provenance },
    });
    const saved = await embedders.find(tx);
    if (saved === null) throw new Error('the embedder was saved, and is not there');
    return ok(done(saved, admitted));
  }
}

const spelt = (id: EmbedderId, { url, ca, model, dimensions }: EmbedderSettings): SpeltEmbedder => ({
  ...{ id, url, ca, model, dimensions },
});
