import {
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The extension of MCP by which a call is answered with a task (SEP-2663, of 2026-07-28). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** A task as the extension writes it. */
interface TaskState {
  readonly taskId: string;
  /** For the user or the model. */
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds from its creation for which it is kept; null: without end. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
}

/** A task with the members that its status has. */
export type McpTask = TaskState &
  (
    | { readonly status: 'working' | 'cancelled' }
    | { readonly status: 'input_required'; readonly inputRequests: Readonly<Record<string, unknown>> }
    | { readonly status: 'completed'; readonly result: CallToolResult }
    | { readonly status: 'failed'; readonly error: { readonly code: number; readonly message: string } }
  );

/** The tasks of one caller. Another caller's task is none. */
export interface McpTasks {
  find(id: string): Promise<McpTask | null>;
  /** Takes answers to the requests of a task; unasked ones are ignored. */
  answer(id: string, responses: Readonly<Record<string, unknown>>): Promise<void>;
  /** Asks for an end of the work; a task that is over stays as it is. */
  cancel(id: string): Promise<void>;
}

const declared = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({
    extensions: z.object({ [TASKS_EXTENSION]: z.looseObject({}) }),
  }),
});

type Envelope = ServerContext['mcpReq']['envelope'] | Readonly<Record<string, unknown>>;

/** Whether a request of 2026-07-28 may be answered with a task. Older requests have no envelope. */
export const takesTasks = (envelope: Envelope): boolean => declared.safeParse(envelope).success;

/** The refusal of a request that needs the extension, and does not declare it. */
export const missingTasks = (): MissingRequiredClientCapabilityError =>
  new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });

/** @throws {MissingRequiredClientCapabilityError} for a request that does not declare the extension. */
export function requireTasks(envelope: Envelope): void {
  if (!takesTasks(envelope)) throw missingTasks();
}

/** The answer of a tool that becomes a task. `TaskingServer` sends the task alone. */
export const asTask = (answer: CallToolResult, task: McpTask): CallToolResult => ({
  ...answer,
  ...task,
  resultType: 'task',
});
