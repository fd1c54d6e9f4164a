import { deepFreeze } from '#lib/canonical';
import { parsedText } from '#lib/database';
import { expandedPlanSchema, planDocumentSchema } from '#lib/formats';
import type { PlanId, TenantId } from '#lib/kernel';
import type { Plan } from '../domain/plan.js';
import { planEntity } from './plan.entity.js';

/** The content of a revision, which never changes. */
export type RevisionContent = Pick<Plan, 'document' | 'expansion'>;

export const CONTENT = planEntity.pick('document', 'expanded', 'digest');

/** As it is stored. */
export type StoredContent = NonNullable<typeof CONTENT.holds>;

/** Characters of stored text with a kept content; the content used longest ago goes first. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * The parsed content of plan revisions, kept by the version of their row. PostgreSQL gives every rewritten row another
 * version. So a revision that was altered in the database is read and parsed again. The kept content is frozen, since
 * many readers share it.
 */
export class RevisionContents {
  readonly #kept = new Map<string, { readonly content: RevisionContent; readonly characters: number }>();
  #characters = 0;

  find(tenantId: TenantId, id: PlanId, rowVersion: string): RevisionContent | undefined {
    const key = keyOf(tenantId, id, rowVersion);
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.content;
  }

  /** Parses and keeps it. */
  keep(tenantId: TenantId, id: PlanId, rowVersion: string, stored: StoredContent): RevisionContent {
    const content = deepFreeze(contentOf(id, stored));
    const characters = stored.document.length + (stored.expanded?.length ?? 0);
    this.#kept.set(keyOf(tenantId, id, rowVersion), { content, characters });
    this.#characters += characters;
    for (const [key, { characters: freed }] of this.#kept) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.#kept.delete(key);
      this.#characters -= freed;
    }
    return content;
  }
}

const keyOf = (tenantId: TenantId, id: PlanId, rowVersion: string): string => `${tenantId}/${id}/${rowVersion}`;

const contentOf = (id: PlanId, { document, expanded, digest }: StoredContent): RevisionContent => ({
  document: parsedText(planDocumentSchema, document, { table: 'plan', column: 'document', id }),
  expansion:
    expanded === null || digest === null
      ? null
      : {
          plan: parsedText(expandedPlanSchema, expanded, { table: 'plan', column: 'expanded', id }),
          text: expanded,
          digest,
        },
});
