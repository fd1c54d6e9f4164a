import type { AuditSink, PageRequest, PersonPrincipal, Result, UnitOfWork } from '#lib/kernel';
import type { OutboxRepository, OutboxState, StoredMessage } from './delivery.ports.js';
import { sendAgain, type GivenUp } from './send-again.js';

/** Shows admins the messages of the outbox, and sends a failed one again. Failures: `resource.not_found`, `outbox.not_failed`. */
export class ResendOutbox {
  readonly #messages: GivenUp<StoredMessage>;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: OutboxRepository,
    private readonly audit: AuditSink,
  ) {
    this.#messages = {
      what: 'outbox message',
      notFailed: { code: 'outbox.not_failed', subject: 'The message' },
      lock: (tx, id) => outbox.lock(tx, id),
      retry: (tx, { id }) => outbox.retry(tx, id),
      audited: ({ id, topic, destination, lastError }) => ({
        action: 'outbox_message.retried',
        subject: { type: 'outbox_message', id },
        payload: { topic, destination, last_error: lastError },
      }),
    };
  }

  list(by: PersonPrincipal, state: OutboxState, page: PageRequest): Promise<readonly StoredMessage[]> {
    return this.uow.run(by.tenantId, (tx) => this.outbox.list(tx, state, page));
  }

  execute(by: PersonPrincipal, id: string): Promise<Result<StoredMessage>> {
    return sendAgain({ uow: this.uow, audit: this.audit }, this.#messages, by, id);
  }
}
