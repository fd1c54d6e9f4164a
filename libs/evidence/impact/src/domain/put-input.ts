import { activeFreezes } from '#lib/autonomy';
import type { JsonObject } from '#lib/canonical';
import type { AutonomyDocument } from '#lib/formats';
import type { Entrypoint, ToolFacts } from '#lib/policy-inputs';
import { own, type Side, type ToolInWorld, type WorldChange } from './world.js';

/** The input of a decision with one side of a change in place of the recorded facts. */
export type PutInput =
  | { readonly how: 'put'; readonly touched: boolean; readonly input: StoredInput }
  /** This side of the change has no such tool. A call of it is denied before any policy is asked. */
  | { readonly how: 'unknown_tool'; readonly tool: string }
  /** The targets, paths or command lines of the tool would be read from arguments, which an input lacks. */
  | { readonly how: 'arguments_needed'; readonly tool: string };

/** An input as the log of decisions holds it: JSON in the shape that its entrypoint had at that time. */
export type StoredInput = Readonly<Record<string, unknown>>;

/**
 * Puts a side of a change into a stored input. Everything else stays as it was recorded: the time, the actor, the
 * plan, halts, roles and approvals.
 *
 * An autonomy document replaces the document, the freezes in force at that time, and the setting of break-glass. A tool keeps the
 * version by which the input names it, and gets the other facts of its definition. An environment gets its flag. A safe tool gets
 * the version that the list accepts.
 */
export function putInput(entrypoint: Entrypoint, stored: StoredInput, change: WorldChange, side: Side): PutInput {
  const named = toolNames(stored);
  for (const name of named) {
    const tool = own(change.tools, name);
    if (tool === null) continue;
    if (tool[side] === null) return { how: 'unknown_tool', tool: name };
    if (readsArgumentsAnew(tool)) return { how: 'arguments_needed', tool: name };
  }
  const parts = [
    ...withDocument(entrypoint, stored, change, side),
    ...withTools(stored, change, side),
    ...withEnvironment(stored, change, side),
    ...withSafeTool(stored, change, side),
  ];
  return { how: 'put', touched: parts.length > 0, input: { ...stored, ...Object.fromEntries(parts) } };
}

/** True if targets, paths, command lines or the fit of the arguments would be worked out in another way. An input lacks arguments. */
const readsArgumentsAnew = ({ before, after }: { before: ToolInWorld | null; after: ToolInWorld | null }): boolean =>
  before !== null && after !== null && before.reading !== after.reading;

type Part = readonly [name: string, value: unknown];

function withDocument(entrypoint: Entrypoint, stored: StoredInput, { autonomy }: WorldChange, side: Side): Part[] {
  if (autonomy === undefined) return [];
  const document = autonomy[side];
  const parts: Part[] = [['autonomy', document === null ? null : { autonomy: document.autonomy }]];
  if (holdsFreezes(entrypoint, stored)) {
    const active = activeFreezes(document, Number(stored.now));
    parts.push(['freeze', { ...asRecord(stored.freeze), active }]);
  }
  if (entrypoint === 'break_glass') parts.push(['emergency_override', overrideOf(document)]);
  if (entrypoint === 'run_step' && stored.break_glass !== null)
    parts.push(['break_glass', { ...asRecord(stored.break_glass), ...(overrideOf(document) ?? SWITCHED_OFF) }]);
  return parts;
}

/** A freeze holds back only a start: an input of another stage of a plan names none. */
const holdsFreezes = (entrypoint: Entrypoint, { freeze, stage }: StoredInput): boolean =>
  freeze !== undefined && (entrypoint !== 'plan' || stage === 'execute');

const SWITCHED_OFF = { enabled: false, allowed_roles: [] };

function overrideOf(document: AutonomyDocument | null): JsonObject | null {
  const override = document?.emergency_override;
  return override === undefined ? null : { enabled: override.enabled, allowed_roles: override.allowed_roles ?? [] };
}

function withTools(stored: StoredInput, { tools }: WorldChange, side: Side): Part[] {
  const replaced = (facts: ToolFacts): ToolFacts | null => {
    const tool = own(tools, facts.name)?.[side];
    return tool == null ? null : { ...tool.facts, name: facts.name, version: facts.version };
  };
  const parts: Part[] = [];
  const one = factsIn(stored.tool);
  if (one !== null) {
    const next = replaced(one);
    if (next !== null) parts.push(['tool', next]);
    const digest = own(tools, one.name)?.[side]?.digest;
    if (digest !== undefined && 'digest' in stored) parts.push(['digest', digest]);
  }
  const many = Object.entries(asRecord(stored.tools)).map(([key, facts]) => [key, factsIn(facts)] as const);
  if (many.some(([, facts]) => facts !== null && replaced(facts) !== null))
    parts.push(['tools', Object.fromEntries(many.map(([key, facts]) => [key, facts && (replaced(facts) ?? facts)]))]);
  return parts;
}

function withEnvironment({ environment }: StoredInput, { environments }: WorldChange, side: Side): Part[] {
  const { name } = asRecord(environment);
  const production = typeof name === 'string' ? own(environments, name)?.[side] : null;
  return production == null ? [] : [['environment', { ...asRecord(environment), production }]];
}

function withSafeTool(stored: StoredInput, { safeTools }: WorldChange, side: Side): Part[] {
  const name = factsIn(stored.tool)?.name;
  if (!('accepted' in stored) || name === undefined) return [];
  const moved = own(safeTools, name);
  return moved === null ? [] : [['accepted', moved[side]]];
}

/** The names of the tools that an input is about, each once. */
export function toolNames(stored: StoredInput): string[] {
  const all = [stored.tool, ...Object.values(asRecord(stored.tools))].flatMap((facts) => factsIn(facts)?.name ?? []);
  return [...new Set(all)].sort();
}

const factsIn = (value: unknown): ToolFacts | null =>
  // An input as it was stored: its digest is compared, and a wrong shape fails the evaluation alone.
  typeof asRecord(value).name === 'string' ? (value as ToolFacts) : null;

export const asRecord = (value: unknown): StoredInput =>
  // Any object may be read by name: an absent member is undefined.
  typeof value === 'object' && value !== null ? (value as StoredInput) : {};
