import { useMemo } from 'react';
import { hasMembers } from '../api/has-members.js';
import { DRAFTS } from '../api/forget-drafts.js';
import { useSignedIn } from '../api/browser-session.js';
import { holdsSecret } from './holds-secret.js';

/** A typed draft, and the document that it began from. */
export interface KeptDraft<Base> {
  readonly base: Base;
  readonly draft: string;
}

/** Keeps one draft of a person as long as their tab is open, over reloads. */
export interface DraftStore<Base> {
  /** Null takes the draft away. A draft that may hold a secret is never kept. */
  readonly keep: (kept: KeptDraft<Base> | null) => void;
  readonly read: () => KeptDraft<Base> | null;
}

/**
 * The store of the reader's draft of one document.
 *
 * @param about the document: `automation.` and its id.
 * @param isBase the same function at every call: whether something is a base, as this version writes it.
 */
export function useDraftStore<Base>(about: string, isBase: (value: unknown) => value is Base): DraftStore<Base> {
  const { tenant, person } = useSignedIn();
  const key = `${DRAFTS}${tenant.slug}.${person.id}.${about}`;
  return useMemo(
    () => ({
      keep: (kept) => {
        try {
          if (kept === null || holdsSecret(kept.draft)) sessionStorage.removeItem(key);
          else sessionStorage.setItem(key, JSON.stringify(kept));
        } catch {
          // A full or forbidden store keeps nothing; leaving the page still asks.
        }
      },
      read: () => {
        try {
          const read: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
          if (!hasMembers(read, ['base', 'draft'])) return null;
          const { base, draft } = read;
          return isBase(base) && typeof draft === 'string' ? { base, draft } : null;
        } catch {
          return null;
        }
      },
    }),
    [key, isBase],
  );
}
