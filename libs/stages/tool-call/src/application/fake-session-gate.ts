import type { Session } from '#lib/session';
import { fakeGate } from './fake-gate.js';
import type { ToolCallQuestion } from './submit-tool-call.js';
import type { ToolCallAnswer } from './tool-call-answer.js';

export const TIERS = { preset: 'tiers', level: 'SUPERVISED', mode: 'ask-on-write' } as const;
export const CAUTIOUS = { ...TIERS, preset: 'cautious' } as const;
/** Staging without an approval of its own: only the session asks. */
export const OPEN = 'autonomy:\n  mode: plan_only\n  environments:\n    staging:\n      mode: full_auto\n';

/** Only the session asks, and a lead answers. */
export const LEADS = `${OPEN}      allowed_approvers: [SRELead]\n`;

/** The code of a refusal, or `ok`. */
export const codeOf = (result: { readonly ok: boolean } & { readonly error?: { readonly code: string } }): string =>
  result.error?.code ?? 'ok';

/** A session in which only the preset asks, and its calls. */
export async function inSession(members: Partial<Session> = {}) {
  const gate = await fakeGate();
  await gate.put(OPEN, 2);
  const session = await gate.opened({ autonomy: TIERS, ...members });
  const submit = (question: Partial<ToolCallQuestion> = {}) =>
    gate.submitted(gate.running(gate.home.agent), { context: { sessionId: session.id }, ...question });
  const asked = async (question: Partial<ToolCallQuestion>): Promise<ToolCallAnswer> => {
    const answer = await submit(question);
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value;
  };
  const shell = (line: string) => asked({ tool: 'shell', arguments: { line } });
  return { gate, session, submit, asked, shell, lead: gate.person('SRELead') };
}
