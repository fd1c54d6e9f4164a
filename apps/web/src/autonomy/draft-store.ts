/** The document that is in force, as the editor begins with it. */
export interface InForce {
  readonly source: string;
  /** Null if there is no document yet. */
  readonly etag: string | null;
  readonly number: number | null;
}

/** A typed draft, and the document that it began from. */
export interface KeptDraft {
  readonly base: InForce;
  readonly draft: string;
}

const keyOf = (tenant: string): string => `countersign.autonomy-draft.${tenant}`;

/** Keeps a draft as long as the tab is open, over reloads; null takes it away. */
export function keepDraft(tenant: string, kept: KeptDraft | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(keyOf(tenant));
    else sessionStorage.setItem(keyOf(tenant), JSON.stringify(kept));
  } catch {
    // A full or forbidden store keeps nothing; leaving the page still asks.
  }
}

export function keptDraft(tenant: string): KeptDraft | null {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(keyOf(tenant)) ?? 'null');
    return isKept(read) ? read : null;
  } catch {
    return null;
  }
}

const isKept = (value: unknown): value is KeptDraft =>
  typeof value === 'object' &&
  value !== null &&
  'draft' in value &&
  typeof value.draft === 'string' &&
  'base' in value &&
  typeof value.base === 'object' &&
  value.base !== null &&
  'source' in value.base &&
  typeof value.base.source === 'string' &&
  'number' in value.base &&
  'etag' in value.base;
