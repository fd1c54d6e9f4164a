import type { Json, JsonObject } from '#lib/canonical';
import type { Digest } from './digest.js';
import type { Failure } from './failure.js';
import type { ChangeRequestId, CredentialId, PersonId } from './ids.js';
import { actorOf, type Actor, type PersonPrincipal } from './principal.js';
import type { Result } from './result.js';
import type { Tx } from './unit-of-work.js';

/** The kinds of changes that need two people if they loosen. */
export type ChangeKind =
  | 'autonomy'
  | 'tool_catalog'
  | 'role_assignment'
  | 'executor'
  | 'environment'
  | 'factor_reset'
  | 'sign_in'
  | 'enrolment'
  | 'person_enabled'
  | 'agent_owner'
  | 'incident_settings'
  | 'slack_app'
  | 'slack_workspace'
  | 'slack_routes'
  | 'audit_retention'
  | 'audit_epoch'
  | 'audit_key'
  | 'secret_binding'
  | 'runner'
  | 'automation_safe_tool'
  | 'webhook'
  | 'lifecycle_hook'
  | 'siem_collector'
  | 'embedder';

/** A change of a guardrail, as its use case found it under the locks that it writes with. */
export interface ProposedChange {
  readonly kind: ChangeKind;
  readonly subject: { readonly type: string; readonly id: string };
  /** In one line, by the server: `SRELead for ada@example.com`. */
  readonly what: string;
  /** All it takes to carry it out later. */
  readonly payload: Json;
  /** The state that it was computed from: another base makes it another change. */
  readonly base: Json;
  /** In words, and never the author's; empty for a change that only tightens. */
  readonly loosens: readonly string[];
  /** The detail that a person reads before they confirm: a diff, the cells before and after. */
  readonly detail: JsonObject;
  /** The reason for it, if the use case asks for one itself; otherwise its author gives it with the request. */
  readonly reason?: string;
  /** The person who gains by it. They confirm it only if no other person could. */
  readonly beneficiary?: PersonId;
}

declare const confirmation: unique symbol;

/** The authority to carry out a change that a second person has confirmed. Only libs/reach/change-request makes one. */
export interface ConfirmedChange {
  readonly [confirmation]: true;
  readonly kind: 'confirmed_change';
  readonly changeId: ChangeRequestId;
  readonly changeKind: ChangeKind;
  readonly payload: Json;
  readonly baseDigest: Digest;
  readonly authorId: PersonId;
  readonly confirmedBy: PersonPrincipal;
}

/** The authority for a change: its author's alone, or with a second person's. */
export type ChangeAuthority = PersonPrincipal | ConfirmedChange;

/** A change that may be written now, in the same transaction. */
export interface AdmittedChange {
  /** The author of the change: the written records name them. */
  readonly authorId: PersonId;
  /** The person who carries it out: the author, or the confirmer. */
  readonly actor: Actor;
  /** Part of the audit entry's payload. */
  readonly provenance: { readonly change_id?: string; readonly requested_by?: string; readonly guarded?: boolean };
  /** True if it loosens, and no other person could confirm it. */
  readonly alone: boolean;
}

/** A change as it was asked for. Times are epoch milliseconds. */
export interface AskedChange extends Pick<
  ProposedChange,
  'kind' | 'subject' | 'what' | 'payload' | 'loosens' | 'detail'
> {
  readonly id: ChangeRequestId;
  readonly baseDigest: Digest;
  /** The confirmer confirms this digest. It covers the change, its base and the settings that it loosens. */
  readonly changeDigest: Digest;
  /** The author's reason, in their words. */
  readonly why: string;
  readonly requiredRole: string;
  readonly requestedBy: PersonId;
  readonly credentialId: CredentialId;
  /** The beneficiary, if somebody else can confirm it. */
  readonly beneficiaryId: PersonId | null;
  readonly openedAt: number;
  readonly expiresAt: number;
}

/** A change request, as it was opened. */
export interface OpenedChangeRequest {
  readonly outcome: 'waits';
  readonly change: AskedChange & { readonly state: 'open' };
  readonly requestedByName: string;
  readonly closedByName: null;
  /** The reason why its author may not confirm it. */
  readonly refusal: Failure;
  /** The people who can confirm it now. */
  readonly confirmers: readonly { readonly id: PersonId; readonly displayName: string }[];
}

/** The outcome of a change: carried out, or waiting for a second person. */
export type Guarded<T> = { readonly outcome: 'done'; readonly value: T; readonly alone: boolean } | OpenedChangeRequest;

export type ChangeAdmission = { readonly outcome: 'admitted'; readonly admitted: AdmittedChange } | OpenedChangeRequest;

/** Decides whether a change may be written now. A change that loosens waits for a second person, if there is one. */
export interface TwoPersonRule {
  /**
   * Asked in the transaction of the write, under its locks, before anything is written.
   *
   * Failures: `change.base_changed` if something changed underneath a confirmed change.
   *
   * @throws {FailureError} `change.reason_missing` if it would wait and its author gave no reason: nothing is kept.
   */
  admit(tx: Tx, authority: ChangeAuthority, change: ProposedChange): Promise<Result<ChangeAdmission>>;

  /**
   * Called before a change that becomes known only later, when its author can no longer be asked.
   *
   * @throws {FailureError} `change.reason_missing` if it would wait now and its author gave no reason.
   */
  demandReason(
    tx: Tx,
    by: PersonPrincipal,
    change: Pick<ProposedChange, 'what' | 'loosens' | 'beneficiary'>,
  ): Promise<void>;

  /** The payloads of the open changes of a kind about a subject, as they were proposed. Expired ones, and those that no longer fit the schema, are left out. */
  waiting<Payload>(
    tx: Tx,
    kind: ChangeKind,
    subjectId: string,
    schema: PayloadSchema<Payload>,
  ): Promise<readonly Payload[]>;

  /**
   * Voids the open change requests on a base that has just moved. The one that moved it stays. So does one
   * with the same base as before.
   */
  outdate(tx: Tx, by: Pick<AdmittedChange, 'actor' | 'provenance'>, moved: MovedBase): Promise<void>;
}

/** The base that changes were computed from, as it is after a write in the same transaction. */
export interface MovedBase {
  readonly kind: ChangeKind;
  /** Absent: all change requests of the kind. */
  readonly subjectId?: string;
  /** The reason for the author, in one sentence. */
  readonly why: string;
  /** As the use case proposes it now for this payload; undefined if this change has another base. */
  readonly base: (payload: Json) => Json | undefined;
}

/** Reads the stored payload of a change. A zod schema is one. */
export interface PayloadSchema<Payload> {
  safeParse(stored: Json): { readonly success: true; readonly data: Payload } | { readonly success: false };
}

/** A use case whose changes wait. It carries out a confirmed change in the transaction of the confirmation. */
export interface CarriesOutChange<Payload = unknown> {
  /** A change is void if its payload no longer fits. */
  readonly payload: PayloadSchema<Payload>;
  carryOut(tx: Tx, change: ConfirmedChange, payload: Payload): Promise<Result<Guarded<unknown>>>;
}

/** The person who acts: the author, or the confirmer. */
export const actingPerson = (authority: ChangeAuthority): PersonPrincipal =>
  authority.kind === 'person' ? authority : authority.confirmedBy;

/** Admits a change that only tightens. */
export const tightening = (by: PersonPrincipal): AdmittedChange => ({
  authorId: by.personId,
  actor: actorOf(by),
  provenance: {},
  alone: false,
});

/** The outcome of an admitted change that was written. */
export const done = <T>(value: T, admitted: AdmittedChange): Guarded<T> => ({
  outcome: 'done',
  value,
  alone: admitted.alone,
});
