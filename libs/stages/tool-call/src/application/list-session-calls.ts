import type { CallSubjects, SubjectCall } from '#lib/approval';
import {
  ok,
  type PageRequest,
  type Principal,
  type Result,
  type SessionId,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Session, SessionAccess } from '#lib/session';
import { commandLineOf, type ToolRegistry, type ToolVersion } from '#lib/tool';
import { standing } from '../domain/call-changes.js';
import { callInWords } from '../domain/subject-call.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { SessionCallFilter, ToolCallRepository } from './tool-call.port.js';

/** A call as people read it. */
export interface ReadCall extends Pick<SubjectCall, 'category' | 'level' | 'impact'> {
  readonly call: ToolCall;
  /** The command line that it would execute; null for a tool that takes none. */
  readonly command: string | null;
}

/** Reads the calls of a session, for everybody who may read the session: people read all, an agent its own. */
export class ListSessionCalls {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly sessions: Pick<SessionAccess, 'toRead'>,
    private readonly calls: Pick<ToolCallRepository, 'list'>,
    private readonly tools: Pick<ToolRegistry, 'get'>,
    private readonly subjects: Pick<CallSubjects, 'about'>,
  ) {}

  /** Newest first. @param state `pending` for the calls that wait; null for all. @returns `resource.not_found`. */
  execute(
    by: Principal,
    id: SessionId,
    page: PageRequest,
    state: SessionCallFilter['state'] = null,
  ): Promise<Result<{ readonly session: Session; readonly calls: readonly ReadCall[] }>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const session = await this.sessions.toRead(tx, by, id);
      if (!session.ok) return session;
      const now = await tx.now();
      const of = { sessionId: id, agentId: by.kind === 'agent' ? by.agentId : null, state };
      const calls = (await this.calls.list(tx, of, page)).map((call) => standing(call, now));
      const tools = await this.#toolsOf(tx, calls);
      const prompts = await this.#promptsOf(tx, calls);
      const read = calls.map((call) => ({ ...readCall(call, tools.get(versionOf(call))), ...prompts.get(call.id) }));
      return ok({ session: session.value, calls: read });
    });
  }

  /** The impact of each call that waits, as its prompt has it. Whether there is a way back is known before a call alone. */
  async #promptsOf(tx: Tx, calls: readonly ToolCall[]): Promise<ReadonlyMap<ToolCallId, Pick<ReadCall, 'impact'>>> {
    const waiting = calls.flatMap(({ id, state }) => (state === 'pending' ? [id] : []));
    const about = waiting.length === 0 ? [] : await this.subjects.about(tx, waiting);
    return new Map([...about].map(([id, { impact }]) => [id, { impact }]));
  }

  /** A session has many calls of few tools: each version is read once. */
  async #toolsOf(tx: Tx, calls: readonly ToolCall[]): Promise<ReadonlyMap<string, ToolVersion>> {
    const tools = new Map<string, ToolVersion>();
    for (const call of calls) {
      if (tools.has(versionOf(call))) continue;
      const tool = await this.tools.get(tx, call.tool.name, call.tool.version);
      if (tool !== null) tools.set(versionOf(call), tool);
    }
    return tools;
  }
}

const versionOf = ({ tool }: ToolCall): string => `${tool.name}@${String(tool.version)}`;

function readCall(call: ToolCall, tool: ToolVersion | undefined): ReadCall {
  if (tool === undefined) throw new Error(`the tool of the call ${call.id} is not there`);
  return {
    call,
    ...callInWords(call, tool),
    command: commandLineOf(tool, call.arguments)?.text ?? null,
  };
}
