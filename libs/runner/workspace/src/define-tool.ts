import { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import type { ToolDocument } from '#lib/formats';
import { maskSecrets } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import { isTimeout } from './domain/is-timeout.js';
import type { RunnerTool, ToolContext, ToolOutcome } from './domain/runner-tool.js';
import { ToolRefusal, type RefusalEffect } from './domain/tool-refusal.js';
import { MaskedOutput } from './masked-output.js';

/** A tool before it has an edge: the edge checks arguments, keeps the time limit, and masks. */
export interface ToolSource<Schema extends z.ZodType> {
  readonly name: string;
  /** The time limit is that of `run` alone. The published document adds that of `after`. */
  readonly document: Omit<ToolDocument, 'parameters'> & { readonly time_limit_seconds: number };
  readonly schema: Schema;
  /** @throws {ToolRefusal} if the call is refused or fails. */
  readonly run: (context: ToolContext, callArguments: z.output<Schema>) => Promise<JsonObject>;
  /** A second part with a time limit of its own, once the first has taken effect: checks after a write. */
  readonly after?: {
    readonly seconds: number;
    readonly run: (context: ToolContext, result: JsonObject) => Promise<JsonObject>;
  };
}

const MAX_MESSAGE = 2_000;

/**
 * Puts an edge around a tool. The schema of its document checks the arguments, and the document's time limit ends the
 * call. Secrets are masked in all of its output.
 *
 * Errors: `runner.invalid_arguments`, `runner.time_limit`, `runner.cancelled`, `runner.failed`, and the tool's own.
 */
export function defineTool<Schema extends z.ZodType>(source: ToolSource<Schema>): RunnerTool {
  const { name, schema } = source;
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  const seconds = source.document.time_limit_seconds + (source.after?.seconds ?? 0);
  return {
    name,
    document: {
      ...source.document,
      time_limit_seconds: seconds,
      // Zod's type of JSON has no readonly members.
      parameters: parameters as NonNullable<ToolDocument['parameters']>,
    },
    call: async (context, callArguments) => {
      const given = schema.safeParse(callArguments, { error: wordsOfIssue });
      if (given.success) return await callWithin(source, context, given.data);
      const [issue] = given.error.issues;
      const at = issue === undefined ? '' : `/${issue.path.map(String).join('/')}: ${issue.message}`;
      return refused('runner.invalid_arguments', `${name} does not take these arguments: ${at}.`, 'not_started');
    },
  };
}

async function callWithin<Schema extends z.ZodType>(
  { name, document, run, after }: ToolSource<Schema>,
  outer: ToolContext,
  given: z.output<Schema>,
): Promise<ToolOutcome> {
  const masked = new MaskedOutput(outer.output, outer.secretsToMask);
  const output: ToolContext['output'] = (chunk) => {
    masked.take(chunk);
  };
  let [limit, seconds] = limitOf(document.time_limit_seconds);
  let unfinished: RefusalEffect = document.effect === 'read' ? 'not_started' : 'unknown';
  const within = (): ToolContext => ({ ...outer, output, signal: AbortSignal.any([outer.signal, limit]) });
  try {
    let result = await run(within(), given);
    if (after !== undefined) {
      [limit, seconds] = limitOf(after.seconds);
      unfinished = 'done';
      result = await after.run(within(), result);
    }
    return { ok: true, result: maskSecrets(result, outer.secretsToMask) };
  } catch (problem) {
    const said = (code: string, message: string, effect: RefusalEffect): ToolOutcome =>
      refused(code, maskSecrets(message, outer.secretsToMask), effect);
    if (problem instanceof ToolRefusal) return said(problem.code, problem.message, problem.effect);
    if (isTimeout(outer.signal.reason))
      return said('runner.time_limit', `${name} did not end within the time limit of its call.`, unfinished);
    if (outer.signal.aborted) return said('runner.cancelled', `${name} was cancelled before it ended.`, unfinished);
    if (limit.aborted) return said('runner.time_limit', `${name} did not end within ${seconds} seconds.`, unfinished);
    const reason = problem instanceof Error ? problem.message : 'unknown problem';
    return said('runner.failed', `${name} failed: ${reason}.`, unfinished);
  } finally {
    masked.end();
  }
}

const limitOf = (seconds: number): [AbortSignal, string] => [AbortSignal.timeout(seconds * 1_000), String(seconds)];

const refused = (code: string, message: string, effect: RefusalEffect): ToolOutcome => ({
  ok: false,
  effect,
  error: { code, message: message.slice(0, MAX_MESSAGE) },
});
