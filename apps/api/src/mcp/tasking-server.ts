import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Implementation,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { requireTasks, TASKS_EXTENSION, type McpTask, type McpTasks } from './mcp-tasks.js';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

const named = z.looseObject({ taskId: z.string() });

/** A server with tools that may answer with a task: the package knows no tasks. */
// The package advises against its lower server, which alone can be extended here; McpServer uses it all the same.
// oxlint-disable-next-line typescript/no-deprecated
class TaskAnsweringServer extends Server {
  // The package completes each result of a tool with content, and a task has none.
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // oxlint-disable-next-line typescript/no-deprecated -- as above
    const wrapped = super._wrapHandler(method, handler);
    if (method !== 'tools/call') return wrapped;
    return async (request, context) => {
      const result = await wrapped(request, context);
      if (result.resultType !== 'task') return result;
      const { content: _content, structuredContent: _structured, ...task } = result;
      return task;
    };
  }
}

/** An MCP server with the tasks extension. */
export class TaskingServer extends McpServer {
  override readonly server: TaskAnsweringServer;

  // The options go to the server alone: with them, McpServer would register its handlers at a server of its own.
  constructor(info: Implementation, options: ServerOptions) {
    super(info);
    this.server = new TaskAnsweringServer(info, options);
  }

  /** Serves the tasks of a caller of 2026-07-28. Clients of 2025 know other tasks by the same names: serve them none. */
  serveTasks(tasks: McpTasks): void {
    const { server } = this;
    const own = async (id: string, { mcpReq }: ServerContext): Promise<McpTask> => {
      requireTasks(mcpReq.envelope);
      const task = await tasks.find(id);
      if (task === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found');
      return task;
    };
    server.registerCapabilities({ extensions: { [TASKS_EXTENSION]: {} } });
    server.setRequestHandler('tasks/get', { params: named }, async ({ taskId }, context) => ({
      ...(await own(taskId, context)),
    }));
    server.setRequestHandler('tasks/update', { params: named }, async ({ taskId }, context) => {
      await own(taskId, context);
      await tasks.answer(taskId, context.mcpReq.inputResponses ?? {});
      return {};
    });
    server.setRequestHandler('tasks/cancel', { params: named }, async ({ taskId }, context) => {
      await own(taskId, context);
      await tasks.cancel(taskId);
      return {};
    });
  }
}
