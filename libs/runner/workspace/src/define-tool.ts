import { z } from 'zod';
import type { Json, JsonObject } from '#lib/canonical';
import type { ToolDocument } from '#lib/formats';
import { maskSecrets, maskSecretText } from '#lib/kernel';
import type { RunnerTool, ToolContext, ToolOutcome } from './domain/runner-tool.js';
import { ToolRefusal, type RefusalEffect } from './domain/tool-refusal.js';

/** A tool before it has an edge: the edge checks arguments, keeps the time limit, and masks. */
export interface ToolSource<Schema extends z.ZodType> {
  readonly name: string;
  readonly document: Omit<ToolDocument, 'parameters'> & { readonly time_limit_seconds: number };
  readonly schema: Schema;
  /** @throws {ToolRefusal} if the call is refused or fails. */
  readonly run: (context: ToolContext, callArguments: z.output<Schema>) => Promise<JsonObject>;
}

const MAX_MESSAGE = 2_000;

/**
 * Puts an edge around a tool: the arguments are checked against the same schema that the document publishes, the time limit of
 * the document ends the call, and secrets are masked in all that comes out.
 *
 * Errors: `runner.invalid_arguments`, `runner.time_limit`, `runner.cancelled`, `runner.failed`, and the tool's own.
 */
export function defineTool<Schema extends z.ZodType>(source: ToolSource<Schema>): RunnerTool {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(source.schema, { io: 'input' });
  return {
    name: source.name,
    document: { ...source.document, parameters: parameters as NonNullable<ToolDocument['parameters']> },
    call: async (context, callArguments) => {
      const given = source.schema.safeParse(callArguments);
      if (!given.success) {
        const [issue] = given.error.issues;
        const at = issue === undefined ? '' : `/${issue.path.map(String).join('/')}: ${issue.message}`;
        return refused(
          'runner.invalid_arguments',
          `${source.name} does not take these arguments: ${at}.`,
          'not_started',
        );
      }
      return await runWithin(source, context, given.data);
    },
  };
}

async function runWithin<Schema extends z.ZodType>(
  { name, document, run }: ToolSource<Schema>,
  context: ToolContext,
  given: z.output<Schema>,
): Promise<ToolOutcome> {
  const limit = AbortSignal.timeout(document.time_limit_seconds * 1_000);
  const unfinished = document.effect === 'read' ? 'not_started' : 'unknown';
  try {
    const result = await run(
      {
        ...context,
        signal: AbortSignal.any([context.signal, limit]),
        output: ({ stream, text }) => {
          context.output({ stream, text: mask(text, context.secretsToMask) as string });
        },
      },
      given,
    );
    return { ok: true, result: mask(result, context.secretsToMask) as JsonObject };
  } catch (problem) {
    const said = (code: string, message: string, effect: RefusalEffect) =>
      refused(code, maskSecretText(mask(message, context.secretsToMask) as string), effect);
    if (problem instanceof ToolRefusal) return said(problem.code, problem.message, problem.effect);
    if (context.signal.aborted) return said('runner.cancelled', `${name} was cancelled before it ended.`, unfinished);
    if (limit.aborted) {
      const seconds = String(document.time_limit_seconds);
      return said('runner.time_limit', `${name} did not end within its ${seconds} seconds.`, unfinished);
    }
    const reason = problem instanceof Error ? problem.message : 'unknown problem';
    return said('runner.failed', `${name} failed: ${reason}.`, unfinished);
  }
}

const mask = (value: Json, secrets: readonly string[]): Json => maskSecrets(value, secrets);

const refused = (code: string, message: string, effect: RefusalEffect): ToolOutcome => ({
  ok: false,
  effect,
  error: { code, message: message.slice(0, MAX_MESSAGE) },
});
