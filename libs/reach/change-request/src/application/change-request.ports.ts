import type { Json } from '#lib/canonical';
import type { ChangeRequestId, PageRequest, PersonId, Tx } from '#lib/kernel';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';
import type { PossibleConfirmer } from '../domain/count-confirmers.js';
import type { Confirmer } from '../domain/decide-confirm.js';

/** The filter of a list of changes. */
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
  lock(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null>;
  close(tx: Tx, change: ClosedChange): Promise<void>;
  find(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null>;
  /** Newest first. */
  list(tx: Tx, filter: ChangeFilter, page: PageRequest): Promise<readonly NamedChange[]>;
  /** The open changes of a kind, oldest first. @param subjectId null: about any subject. */
  openAbout(tx: Tx, kind: ChangeRequest['kind'], subjectId: string | null): Promise<readonly ChangeRequestId[]>;
  /** The payloads of open, unexpired changes of a kind about a subject. */
  waiting(tx: Tx, kind: ChangeRequest['kind'], subjectId: string): Promise<readonly Json[]>;
}

/** A person who wants to decide on a change, with their name. */
export interface NamedConfirmer extends Confirmer {
  readonly displayName: string;
}

/** The people who may be a second person. */
export interface ConfirmerDirectory {
  /**
   * Holders of the role, with their assignments locked, and people who lost it since `since` (epoch milliseconds). People who
   * never enrolled or signed in are left out.
   */
  lockPossible(tx: Tx, role: string, since: number): Promise<readonly Omit<PossibleConfirmer, 'sharedWith'>[]>;
  /** Locks the person, and reads the roles that count now. Null if they are unknown or disabled. */
  lockConfirmer(tx: Tx, personId: PersonId): Promise<NamedConfirmer | null>;
  /** Holders of the role who can act now. */
  holders(tx: Tx, role: string): Promise<readonly NamedConfirmer[]>;
}
