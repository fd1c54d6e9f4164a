import type { JsonObject } from '#lib/canonical';
import type { GrantClaims, ToolCallResponse } from '#lib/formats';
import { argumentsWithSecrets, GrantError, type GrantVerifier } from '#lib/sdk';
import type { CallJournal } from './call-journal.js';
import { MCP_PREFIX } from './mcp/mcp-tool.js';
import { OutputSender } from './output-sender.js';
import type { OfferedCall, Plane } from './plane.js';
import type { ServedTool, ServedTools } from './served-tool.js';
import { sendable } from './sendable-answer.js';

/** The parts that carry a call out. */
export interface CarryOutParts {
  readonly journal: CallJournal;
  readonly tools: ServedTools;
  /** The tools of MCP servers. */
  readonly mcp: ServedTool;
  /** Verifies a grant against its call, environment included, and uses it up. */
  readonly verify: GrantVerifier;
  readonly plane: Pick<Plane, 'output'>;
}

/**
 * Carries one call out, and writes its answer into the journal. Nothing starts before the grant was verified and redeemed here,
 * and before the journal says so on the disk. After a crash a call that had started never starts again. Without a journal nothing
 * starts.
 *
 * @throws if the answer cannot be written to the disk. The journal holds it in memory then.
 */
export async function carryOut(parts: CarryOutParts, offered: OfferedCall, revoked: AbortSignal): Promise<void> {
  const { journal, tools, mcp, verify, plane } = parts;
  const { id, grant, request } = offered;
  const tool = request.tool.startsWith(MCP_PREFIX) ? mcp : tools.get(request.tool);
  const entry = { id, tool: request.tool, reads: tool?.reads ?? true, answer: null };
  const end = (answer: ToolCallResponse): Promise<void> =>
    journal.write({ ...entry, state: 'ended', answer: sendable(answer, entry.reads) });
  const noted = (state: 'taken' | 'started'): Promise<boolean> =>
    journal.write({ ...entry, state }).then(
      () => true,
      () => false,
    );
  if (!(await noted('taken'))) return end(noJournal);
  if (tool === undefined) return end(notStarted('runner.no_such_tool', `This runner has no tool ${request.tool}.`));
  const verified = await claimsOf(verify, grant, request, entry.reads);
  if (!('claims' in verified)) return end(verified.refusal);
  const signal = AbortSignal.any([revoked, AbortSignal.timeout(workMs(offered))]);
  if (signal.aborted) return end(notStarted('runner.too_late', 'The call came too late to be answered in time.'));
  if (!(await noted('started'))) return end(noJournal);
  const output = new OutputSender(id, plane);
  let outcome: ToolCallResponse;
  try {
    // The request came as JSON.
    const answer = await tool.call(argumentsWithSecrets(request) as JsonObject, {
      claims: verified.claims,
      signal,
      output: (chunk) => {
        output.take(chunk);
      },
      secretsToMask: Object.values(request.secrets),
    });
    // Zod's type of JSON has no readonly members.
    outcome = answer as ToolCallResponse;
  } catch {
    const effect = entry.reads ? 'not_started' : 'unknown';
    outcome = { ok: false, effect, error: { code: 'runner.failed', message: `${request.tool} failed unexpectedly.` } };
  }
  try {
    await end(outcome);
  } finally {
    await output.end();
  }
}

/** The end of the time of a call: its programs are ended, and its answer is sent. */
const ANSWER_MS = 1_000;

/** An answer that comes after the time counts no more: nobody would hear that the time was over. */
const workMs = ({ answer_within_ms: within }: OfferedCall): number =>
  Math.floor(within - Math.min(ANSWER_MS, within / 10));

async function claimsOf(
  verify: GrantVerifier,
  grant: string,
  request: OfferedCall['request'],
  reads: boolean,
): Promise<{ readonly claims: GrantClaims } | { readonly refusal: ToolCallResponse }> {
  try {
    return { claims: await verify(grant, request) };
  } catch (error) {
    // A used grant means that the call was begun before, here or elsewhere: its effect can't be known (T27).
    if (error instanceof GrantError && error.code === ALREADY_REDEEMED && !reads) return { refusal: begunBefore };
    if (error instanceof GrantError) return { refusal: notStarted(error.code, error.message) };
    return { refusal: notStarted('grant.invalid', 'The grant could not be verified.') };
  }
}

const ALREADY_REDEEMED = 'grant.already_redeemed';

const begunBefore: ToolCallResponse = {
  ok: false,
  effect: 'unknown',
  error: { code: ALREADY_REDEEMED, message: 'The grant of the call was used before, and the runner kept no answer.' },
};

const notStarted = (code: string, message: string): ToolCallResponse => ({
  ok: false,
  effect: 'not_started',
  error: { code, message },
});

const noJournal = notStarted(
  'runner.journal_unwritable',
  'The runner cannot write to its data folder, so nothing was started. Make room on its disk, then call again.',
);
