import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ApprovalRequestView } from '#lib/api-schemas';
import { ApiRefusal, within } from './api-calls.js';
import { APPROVAL_TOOLS } from './approval-tools.js';
import type { McpTask, McpTasks } from './mcp-tasks.js';
import { resultWith, type McpTool, type ToolWorld, type Waits } from './mcp-tool.js';
import { TOOL_CALL_TOOLS } from './tool-call-tools.js';

type WaitingTool = McpTool & { readonly waits: Waits<unknown> };

const WAITING_TOOLS = [...TOOL_CALL_TOOLS, ...APPROVAL_TOOLS].filter(
  (tool): tool is WaitingTool => tool.waits !== undefined,
);

/** A person seldom answers sooner, and a task is read by two requests or three. */
const POLL_INTERVAL_MS = 5_000;

interface Found {
  readonly tool: WaitingTool;
  readonly view: unknown;
  readonly request: ApprovalRequestView;
  /** Calls no route but those that the wait needs. */
  readonly world: ToolWorld;
}

/**
 * The tool calls and approval requests of a caller, as tasks. A task has the id of its call or request, and is read from it.
 * Nothing more is kept, so every replica knows it.
 */
export class WaitingTasks implements McpTasks {
  constructor(private readonly world: ToolWorld) {}

  async find(id: string): Promise<McpTask | null> {
    const found = await this.#find(id);
    return found === null ? null : taskOf(id, found);
  }

  /** People answer on the page of the request, so that no task asks its client for anything. */
  answer(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws {ProtocolError} if the caller may not cancel it. */
  async cancel(id: string): Promise<void> {
    const found = await this.#find(id);
    if (found === null) return;
    try {
      await found.tool.waits.cancel(id, found.world);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const { status, code, detail, action } = error.problem;
      // It was decided first. The client reads how.
      if (status === 409) return;
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, detail, { code, action });
    }
  }

  async #find(id: string): Promise<Found | null> {
    for (const tool of WAITING_TOOLS) {
      const world = { ...this.world, api: within(tool.name, tool.waits.routes, this.world.api) };
      const view = await tool.waits.reread(id, world).catch(nothing);
      if (view === null) continue;
      const request = await tool.waits.requestOf(view, world);
      // The colleagues of a person read the person's calls and requests, too. A task is the person's alone.
      return request === null || request.requester.id !== world.caller ? null : { tool, view, request, world };
    }
    return null;
  }
}

/** Null for a thing that is not there, or an id that is none. */
function nothing(error: unknown): null {
  if (error instanceof ApiRefusal && (error.problem.status === 404 || error.problem.status === 400)) return null;
  throw error;
}

function taskOf(taskId: string, { tool: { waits, output }, view, request }: Found): McpTask {
  const { opened_at: createdAt, approved_at: approvedAt, closed_at: closedAt, closed_reason: reason } = request;
  const lastUpdatedAt = closedAt ?? approvedAt ?? createdAt;
  const state = { taskId, createdAt, lastUpdatedAt, ttlMs: null, pollIntervalMs: POLL_INTERVAL_MS };
  const answer = output.parse(view);
  const status = waits.statusOf(view);
  if (status === 'completed') return { ...state, status, result: { ...resultWith(answer), resultType: 'complete' } };
  if (status === 'cancelled')
    return { ...state, status, ...(reason === null ? {} : { statusMessage: reason.message }) };
  const statusMessage =
    waits.idOf(view) === null
      ? 'It was approved, and is being executed.'
      : `People are asked until ${request.expires_at}. They answer on ${String(answer.page)}`;
  return { ...state, status, statusMessage };
}
