import type { CredentialRepository, MfaProofs, PersonRepository, Seats } from '#lib/identity';
import type {
  AuditSink,
  CarriesOutChange,
  ChangeKind,
  ChangeRequestId,
  Outbox,
  RowSeals,
  TwoPersonRule,
  Tx,
  UnitOfWork,
} from '#lib/kernel';
import { SqlChangeRequestRepository } from './adapters/sql-change-request.repository.js';
import { SqlConfirmerDirectory } from './adapters/sql-confirmer-directory.js';
import { ChangeEvidence } from './application/change-evidence.js';
import type { ChangeRequestRepository, ConfirmerDirectory } from './application/change-request.ports.js';
import { ChangeJournal, type ChangeListener } from './application/change-journal.js';
import { ChangeNotices, type ChangeImpact } from './application/change-notices.js';
import { ConfirmChange, RejectChange, WithdrawChange } from './application/decide-change.js';
import { ExpireChanges } from './application/expire-changes.js';
import { ReadChanges } from './application/read-changes.js';
import { TwoSeatRule } from './application/two-person-rule.js';

/** The stored changes, and the people who may confirm them. */
export interface ChangeRequestRows {
  readonly changes: ChangeRequestRepository;
  readonly confirmers: ConfirmerDirectory;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createChangeRequestStore = (seals: RowSeals, people: PersonRepository): ChangeRequestRows => ({
  changes: new SqlChangeRequestRepository(seals),
  confirmers: new SqlConfirmerDirectory(people, seals),
});

export interface ChangeRequestDeps {
  readonly uow: UnitOfWork;
  readonly rows: ChangeRequestRows;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly directory: {
    readonly seats: Seats;
    readonly credentials: Pick<CredentialRepository, 'stillGood'>;
  };
  readonly listener: ChangeListener;
  readonly impact: ChangeImpact;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
}

export function createChangeRequests({
  uow,
  rows: { changes, confirmers },
  audit,
  outbox,
  directory,
  listener,
  impact,
  publicUrl,
}: ChangeRequestDeps) {
  const { seats, credentials } = directory;
  const journal = new ChangeJournal(changes, audit, outbox, listener);
  const twoPersonRule: TwoPersonRule = new TwoSeatRule(changes, confirmers, seats, journal, audit);
  return {
    twoPersonRule,
    changeEvidence: new ChangeEvidence(changes),
    changeNotices: new ChangeNotices(changes, confirmers, seats, impact, publicUrl),
    rejectChange: new RejectChange(uow, changes, confirmers, seats, journal, credentials),
    withdrawChange: new WithdrawChange(uow, changes, journal, credentials),
    findChange: (tx: Tx, id: ChangeRequestId) => changes.find(tx, id),
    readChanges: new ReadChanges(uow, changes, confirmers, seats),
    expireChanges: new ExpireChanges(uow, changes, journal),
    /** @param carriers the use case that writes each kind of change. */
    confirming: (proofs: MfaProofs, carriers: Readonly<Record<ChangeKind, CarriesOutChange>>) =>
      new ConfirmChange({ uow, changes, confirmers, seats, proofs, journal, carriers, credentials }),
  };
}
