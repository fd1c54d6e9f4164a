import {
  actorOf,
  err,
  notFound,
  type AuditSink,
  type HaltId,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { decideLift, type Halt } from '../domain/halt.js';
import type { HaltRepository } from './halt.ports.js';

/**
 * Lifts a halt, with a note. Its runs stay paused: a person looks at each run and resumes it.
 *
 * Failures: `resource.not_found`, `halt.person_only`, `halt.role_missing`, `halt.already_lifted`.
 */
export class LiftHalt {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly halts: HaltRepository,
    private readonly audit: AuditSink,
  ) {}

  execute(principal: Principal, id: HaltId, note: string): Promise<Result<Halt>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      if (principal.kind !== 'person') {
        return err({
          kind: 'forbidden',
          code: 'halt.person_only',
          message: 'Only a person lifts a halt.',
          action: 'Ask a PlatformAdmin or an SRELead.',
        });
      }
      const halt = await this.halts.lock(tx, id);
      if (halt === null) return err(notFound('halt'));
      const actor = actorOf(principal);
      const lifted = decideLift(halt, principal, actor, note, await tx.now());
      if (!lifted.ok) return lifted;
      await this.halts.saveLifted(tx, lifted.value);
      await this.audit.record(tx, {
        action: 'halt.lifted',
        actor,
        level: 'full',
        subject: { type: 'halt', id },
        payload: { target: { ...halt.target }, note },
      });
      return lifted;
    });
  }
}
