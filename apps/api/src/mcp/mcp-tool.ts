import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ApprovalRequestView } from '#lib/api-schemas';
import { FailureError } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import { fieldErrorsOf } from '../http/index.js';
import { underKey, type ApiCalls, type Route } from './api-calls.js';
import type { McpAddresses } from './mcp-addresses.js';

/** The things that a tool works with. */
export interface ToolWorld {
  /** The routes of the tool, as the caller of the tool. */
  readonly api: ApiCalls;
  readonly addresses: McpAddresses;
  /** The id of the person or agent who calls. */
  readonly caller: string;
  /** The name of this use of the tool, if its client repeats it under the same one. */
  readonly requestKey?: string;
}

/** How a tool waits for people. Its views are the answers of the API, as the tool shows them. */
export interface Waits<View> {
  /** Every route that is asked to wait or to cancel. */
  readonly routes: readonly Route[];
  /** The id by which a view is read again while people are asked; else null. */
  idOf(view: View): string | null;
  /** Reads it again, as the caller: the id comes from the client, and may be any. */
  reread(id: string, world: ToolWorld): Promise<View>;
  /** Takes it back, as the caller. */
  cancel(id: string, world: ToolWorld): Promise<unknown>;
  /** The request that asks people about it; null if it asked none. */
  requestOf(view: View, world: ToolWorld): Promise<ApprovalRequestView | null>;
  /** Working while it becomes something else without its client. */
  statusOf(view: View): 'working' | 'completed' | 'cancelled';
}

/**
 * A tool of Countersign for MCP clients. It asks routes of the API with the caller's own token, and can do no more. A list of tools
 * knows no view: a tool gets back the views that it gave.
 */
export interface McpTool<View = unknown> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses tools. */
  readonly description: string;
  /** Every route that it may ask. */
  readonly routes: readonly Route[];
  /** Whether it changes anything; a simulation and a request do. */
  readonly readsOnly: boolean;
  /** Whether hosts of MCP Apps show the card of a request with its answer. */
  readonly hasCard?: true;
  readonly input: z.ZodObject;
  /** Members of an answer that stand in no output schema are left out. */
  readonly output: z.ZodObject;
  /** For a tool that may wait for people. Its answer has the member `page`. */
  readonly waits?: Waits<View>;
  /** @throws {ApiRefusal} if the API refuses. @throws {FailureError} `request.invalid` for another input than its schema takes. */
  run(input: unknown, world: ToolWorld): Promise<View>;
}

const requestKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters')
  .optional()
  .meta({ description: 'Your own name of this request. Repeat it under the same name: nothing is done twice.' });

/**
 * A tool. Its function takes the input as the schema parsed it. One that writes also takes a `request_key`, under which a client
 * repeats a request if it lost the answer. The routes that create something get it as Idempotency-Key.
 */
export function mcpTool<Input extends z.ZodObject, View>(
  tool: Omit<McpTool<View>, 'input' | 'run'> & {
    readonly input: Input;
    run(input: z.output<Input>, world: ToolWorld): Promise<View>;
  },
): McpTool<View> {
  if (tool.readsOnly) return { ...tool, run: (given, world) => tool.run(inputOf(tool.input, given), world) };
  const input = tool.input.safeExtend({ request_key: requestKeySchema });
  return {
    ...tool,
    input,
    run: (given, world) => {
      const { request_key: requestKey, ...rest }: { request_key?: string } = inputOf(input, given);
      const keyed = requestKey === undefined ? world : { ...world, requestKey, api: underKey(requestKey, world.api) };
      // The members that are left are those of its own schema, as that gives them.
      return tool.run(rest as z.output<Input>, keyed);
    },
  };
}

function inputOf<Input extends z.ZodObject>(schema: Input, given: unknown): z.output<Input> {
  const read = schema.safeParse(given, { reportInput: true, error: wordsOfIssue });
  if (read.success) return read.data;
  throw new FailureError({
    kind: 'unprocessable',
    code: 'request.invalid',
    message: 'The arguments of the tool are not valid.',
    action: 'Correct the listed errors.',
    errors: fieldErrorsOf(read.error.issues, schema),
  });
}

/** The result of a tool with an answer. */
export const resultWith = (answer: z.output<McpTool['output']>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
});
