import type { PersonRepository, Seats } from '#lib/identity';
import type {
  AuditSink,
  CarriesOutChange,
  ChangeKind,
  Guardrail,
  MfaProofs,
  Outbox,
  RowSeals,
  UnitOfWork,
} from '#lib/kernel';
import { PostgresChangeRequestRepository } from './adapters/postgres-change-request.repository.js';
import { PostgresConfirmerDirectory } from './adapters/postgres-confirmer-directory.js';
import { ChangeEvidence } from './application/change-evidence.js';
import { ChangeJournal } from './application/change-journal.js';
import { ChangeNotices } from './application/change-notices.js';
import { ConfirmChange, RejectChange, WithdrawChange } from './application/decide-change.js';
import { ExpireChanges } from './application/expire-changes.js';
import { ReadChanges } from './application/read-changes.js';
import { TwoPersonGuardrail } from './application/two-person-guardrail.js';

export interface GuardrailDeps {
  readonly uow: UnitOfWork;
  readonly seals: RowSeals;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly directory: { readonly people: PersonRepository; readonly seats: Seats };
  /** Where people reach Countersign. */
  readonly publicUrl: string;
}

/** Changes that wait for a second person. */
export type Guardrails = ReturnType<typeof createGuardrail>;

export function createGuardrail({ uow, seals, audit, outbox, directory, publicUrl }: GuardrailDeps) {
  const { people, seats } = directory;
  const changes = new PostgresChangeRequestRepository(seals);
  const confirmers = new PostgresConfirmerDirectory(people);
  const journal = new ChangeJournal(changes, audit, outbox);
  const guardrail: Guardrail = new TwoPersonGuardrail(changes, confirmers, seats, journal, audit);
  return {
    guardrail,
    changeEvidence: new ChangeEvidence(changes),
    changeNotices: new ChangeNotices(changes, confirmers, seats, publicUrl),
    rejectChange: new RejectChange(uow, changes, confirmers, seats, journal),
    withdrawChange: new WithdrawChange(uow, changes, journal),
    readChanges: new ReadChanges(uow, changes, confirmers, seats),
    expireChanges: new ExpireChanges(uow, changes, journal),
    /** The use case that carries out what was confirmed, by those who write each kind of change. */
    confirming: (proofs: MfaProofs, carriers: Readonly<Record<ChangeKind, CarriesOutChange>>) =>
      new ConfirmChange(uow, changes, confirmers, seats, proofs, journal, carriers),
  };
}
