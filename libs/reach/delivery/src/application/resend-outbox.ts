import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type PageRequest,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { OutboxEntry, OutboxRepository, OutboxState } from './delivery.ports.js';

/** Shows admins the messages of the outbox, and sends a failed one again. Failures: `resource.not_found`, `outbox.not_failed`. */
export class ResendOutbox {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: OutboxRepository,
    private readonly audit: AuditSink,
  ) {}

  list(by: PersonPrincipal, state: OutboxState, page: PageRequest): Promise<readonly OutboxEntry[]> {
    return this.uow.run(by.tenantId, (tx) => this.outbox.list(tx, state, page));
  }

  execute(by: PersonPrincipal, id: string): Promise<Result<OutboxEntry>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const entry = await this.outbox.lock(tx, id);
      if (entry === null) return err(notFound('outbox message'));
      if (entry.state !== 'failed') return err(notFailed(entry.state));
      await this.outbox.retry(tx, id);
      await this.audit.record(tx, {
        action: 'outbox_message.retried',
        actor: actorOf(by),
        level: 'detailed',
        subject: { type: 'outbox_message', id },
        payload: { topic: entry.topic, destination: entry.destination, last_error: entry.lastError },
      });
      return ok((await this.outbox.lock(tx, id)) ?? entry);
    });
  }
}

const notFailed = (state: string): Failure => ({
  kind: 'conflict',
  code: 'outbox.not_failed',
  message: `The message is ${stateInWords(state)}.`,
  action: 'Only messages that were given up can be sent again.',
});
