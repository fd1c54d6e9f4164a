import type { ApprovalRequestId, ChangeRequestId, PersonPrincipal, Result } from '#lib/kernel';
import type { ThreadReplies } from '#lib/slack';
import type { Subject } from '../domain/comment.js';
import type { AddComment } from './add-comment.js';

/** A reply in the thread of a Slack message is a comment on the subject of the message. */
export class SlackReplies implements ThreadReplies {
  constructor(private readonly adding: Pick<AddComment, 'execute'>) {}

  comment(by: PersonPrincipal, subject: string, text: string, channel: string): Promise<Result<unknown>> {
    return this.adding.execute(by, subjectOf(subject), text, { kind: 'slack', channel });
  }
}

/** `request:ID`, `told:ID` for the requester's own message, or `change_request.changed:ID`. */
function subjectOf(subject: string): Subject {
  const [kind = '', id = ''] = subject.split(':');
  return kind === 'change_request.changed'
    ? // The writer of the message put the id of the change there.
      { type: 'change_request', id: id as ChangeRequestId }
    : // Either of the others has the id of a request.
      { type: 'approval_request', id: id as ApprovalRequestId };
}
