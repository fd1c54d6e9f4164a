import type { OutboxMessage } from '#lib/kernel';

/** The id of the request or run that a message is about; null for any other message. */
export function subjectOfMessage({ payload }: OutboxMessage): string | null {
  if ('request_id' in payload) return payload.request_id;
  return 'run_id' in payload ? payload.run_id : null;
}
