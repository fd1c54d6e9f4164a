import type { ToolCallId, Tx } from '#lib/kernel';
import type { CallSubject } from '../domain/call-subject.js';
import type { CallAbout, CallSubjects } from './approval.ports.js';
import { FakeSubjectsOfKind } from './fake-subjects-of-kind.js';

/** Holds single calls, as the test says that they are now. */
export class FakeCallSubjects extends FakeSubjectsOfKind<CallSubject, ToolCallId> implements CallSubjects {
  about(tx: Tx, ids: readonly ToolCallId[]): Promise<ReadonlyMap<ToolCallId, CallAbout>> {
    const found = ids.flatMap((id) => this.rows.of(tx).get(id) ?? []);
    return Promise.resolve(
      new Map(
        found.map(({ environment: { id, name, production }, call: { tool, category, impact, reason, id: callId } }) => [
          callId,
          { type: 'tool_call', environment: { id, name, production }, tool: tool.name, category, impact, reason },
        ]),
      ),
    );
  }
}
