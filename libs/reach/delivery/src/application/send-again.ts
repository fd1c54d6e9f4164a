import {
  actorOf,
  err,
  type Failure,
  notFound,
  ok,
  type AuditEvent,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { stateInWords } from '#lib/words';

/** Messages of one kind, of which some were given up. */
export interface GivenUp<Message> {
  /** The message in words. */
  readonly what: string;
  readonly notFailed: { readonly code: string; readonly subject: string };
  lock(tx: Tx, id: string): Promise<Message | null>;
  retry(tx: Tx, message: Message): Promise<void>;
  audited(message: Message): Pick<AuditEvent, 'action' | 'subject' | 'payload'>;
}

/** Sends a message again that was given up. Failures: `resource.not_found`, and the code of `notFailed`. */
export async function sendAgain<Message extends { readonly state: string }>(
  { uow, audit }: { readonly uow: UnitOfWork; readonly audit: AuditSink },
  messages: GivenUp<Message>,
  by: PersonPrincipal,
  id: string,
): Promise<Result<Message>> {
  return uow.run(by.tenantId, async (tx) => {
    const message = await messages.lock(tx, id);
    if (message === null) return err(notFound(messages.what));
    if (message.state !== 'failed') return err(notFailed(messages.notFailed, message.state));
    await messages.retry(tx, message);
    await audit.record(tx, { ...messages.audited(message), actor: actorOf(by), level: 'detailed' });
    return ok((await messages.lock(tx, id)) ?? message);
  });
}

const notFailed = ({ code, subject }: GivenUp<unknown>['notFailed'], state: string): Failure => ({
  kind: 'conflict',
  code,
  message: `${subject} is ${stateInWords(state)}.`,
  action: 'Only messages that were given up can be sent again.',
});
