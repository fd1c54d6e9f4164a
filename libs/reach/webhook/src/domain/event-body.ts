import type { Json, JsonObject } from '#lib/canonical';
import { maskSecrets, toTimestamp, type LoggedEvent } from '#lib/kernel';
import { factsOfChange } from './change-facts.js';
import { isChange, type ToolEvent } from './event-names.js';

/** A longer body leaves out the facts, in bytes. */
const MAX_BODY = 131_072;
const LEFT_OUT = '[left out: too long]';

/** A tool's call, as events tell it. */
export interface ReportedCall {
  readonly tool: string;
  readonly parameters: Json;
  /** The masked answer, or the reason why there is none; null before an answer. */
  readonly output: Json;
  /** The name of the agent, or of the person who called. */
  readonly agent: string;
  readonly model: string | null;
}

/** The words of an identifier, each with a capital letter: `file-write` is "File Write", and so is `mcp:files:file-write`. */
const nameOf = (id: string): string =>
  id
    .replace(/^.*:(?=.)/, '')
    .split(/[-_]/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^./, (letter) => letter.toUpperCase()))
    .join(' ');

/** The body of an event of a tool. A started call has no result yet. */
export function toolBody(event: ToolEvent | 'tool.test', at: number, call: ReportedCall): string {
  const bodyOf = (parameters: Json, output: Json): string =>
    JSON.stringify({
      event,
      timestamp: toTimestamp(at),
      tool: { id: call.tool, name: nameOf(call.tool), parameters },
      result: event === 'tool.started' ? null : { success: event !== 'tool.failed', output },
      session: { agent: call.agent, model: call.model },
    });
  const body = bodyOf(maskSecrets(call.parameters), maskSecrets(call.output));
  return Buffer.byteLength(body) > MAX_BODY ? bodyOf(LEFT_OUT, LEFT_OUT) : body;
}

/** The body of every other event. Facts that were erased, or that are too long, are null; those of a change are its kind and subject. */
export const eventBody = (event: string, logged: LoggedEvent): string => bodyOf(event, logged).text;

/** The body of {@link eventBody} as a document. */
export const eventDocument = (event: string, logged: LoggedEvent): JsonObject => bodyOf(event, logged).document;

function bodyOf(event: string, logged: LoggedEvent): { readonly document: JsonObject; readonly text: string } {
  const { id, action, actor, subject, within, occurredAt } = logged;
  const withFacts = (facts: Json) => {
    const document = {
      event,
      timestamp: toTimestamp(occurredAt),
      data: {
        entry_id: id,
        action,
        subject: { type: subject.type, id: subject.id },
        actor: actorOf(actor),
        within: within.map(({ type, id: of }) => ({ type, id: of })),
        facts,
      },
    };
    return { document, text: JSON.stringify(document) };
  };
  const whole = withFacts(factsToSend(logged));
  return Buffer.byteLength(whole.text) > MAX_BODY ? withFacts(null) : whole;
}

/** The facts of an entry as they may leave Countersign: masked, and of a change its kind and subject alone. Null if they were erased. */
export const factsToSend = ({ action, payload }: Pick<LoggedEvent, 'action' | 'payload'>): Json =>
  isChange(action) ? factsOfChange(payload) : maskSecrets(payload);

/** Without the credential: receivers need none. */
const actorOf = ({ kind, id, display_name, on_behalf_of }: LoggedEvent['actor']): JsonObject => ({
  ...{ kind, id, display_name, on_behalf_of },
});

/** The call that a test event tells of. */
export const TEST_CALL: ReportedCall = {
  tool: 'webhook-test',
  parameters: {},
  output: 'This is a test. Nothing was executed.',
  agent: 'countersign',
  model: null,
};
