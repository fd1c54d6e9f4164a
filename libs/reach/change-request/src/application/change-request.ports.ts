import type { Json } from '#lib/canonical';
import type { ChangeRequestId, PageRequest, PersonId, Tx } from '#lib/kernel';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';
import type { PossibleConfirmer } from '../domain/count-confirmers.js';
import type { Confirmer } from '../domain/decide-confirm.js';

/** Which changes a list shows. */
export interface ChangeFilter {
  readonly state?: ChangeRequest['state'] | undefined;
  readonly kind?: ChangeRequest['kind'] | undefined;
}

/** A change with the names of the people in it. */
export interface NamedChange {
  readonly change: ChangeRequest;
  readonly requestedByName: string;
  readonly closedByName: string | null;
}

export interface ChangeRequestRepository {
  insert(tx: Tx, change: OpenChange): Promise<void>;
  lock(tx: Tx, id: ChangeRequestId): Promise<ChangeRequest | null>;
  close(tx: Tx, change: ClosedChange): Promise<void>;
  find(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null>;
  /** Newest first. */
  list(tx: Tx, filter: ChangeFilter, page: PageRequest): Promise<readonly NamedChange[]>;
  /** What is open of a kind, oldest first. @param subjectId null: about whatever. */
  openAbout(tx: Tx, kind: ChangeRequest['kind'], subjectId: string | null): Promise<readonly ChangeRequestId[]>;
  /** The payloads of what is open and has not expired, of a kind and about a subject. */
  waiting(tx: Tx, kind: ChangeRequest['kind'], subjectId: string): Promise<readonly Json[]>;
}

/** The people a second one can come from. */
export interface ConfirmerDirectory {
  /**
   * Everybody but those who never enrolled or signed in: who holds the role, their grants locked, and who lost it since a
   * moment (epoch milliseconds).
   */
  lockPossible(tx: Tx, role: string, since: number): Promise<readonly Omit<PossibleConfirmer, 'sharedWith'>[]>;
  /** The person with the roles that count now; null where they may do nothing. Locks them. */
  lockConfirmer(tx: Tx, personId: PersonId): Promise<Confirmer | null>;
  /** Who holds the role and could act now. */
  holders(tx: Tx, role: string): Promise<readonly (Confirmer & { readonly displayName: string })[]>;
}
