import { compareCells, type CellChange } from '#lib/autonomy';
import { canonicalJson, CanonicalJsonError, type Json } from '#lib/canonical';
import { digestOf, MASK, type Digest } from '#lib/kernel';
import { isLooser, noDecision } from '#lib/policy';
import type { Decision, Obligations } from '#lib/formats';
import type { Entrypoint } from '#lib/policy-inputs';
import { putInput, type StoredInput } from './put-input.js';
import type { Side, WorldChange } from './world.js';

/** A decision as the log holds it, as far as an impact needs it. */
export interface StoredDecision {
  readonly entrypoint: Entrypoint;
  readonly input: StoredInput;
  /** Over the input as it was evaluated, before secrets were masked. */
  readonly inputDigest: Digest;
  readonly decision: Decision;
}

/** The reason why a stored decision cannot be put again. */
export const NOT_PUT = ['arguments_needed', 'masked', 'altered', 'malformed', 'invalid_input'] as const;
export type NotPut = (typeof NOT_PUT)[number];

/** The result of putting a stored decision again with both sides of a change. */
export type Putting =
  /** The change moves nothing that it was taken from. */
  | { readonly result: 'untouched' }
  | { readonly result: 'not_put'; readonly why: NotPut }
  | {
      readonly result: 'put';
      readonly before: Decision;
      readonly after: Decision;
      /** Null if no visible part differs. */
      readonly change: CellChange | null;
      /** The rules that speak on one side alone, or ask for something else: they made the difference. Empty if nothing differs. */
      readonly rules: RuleDifference;
      /** True if the rules and settings of today, without the change, already give another outcome than the recorded one. */
      readonly otherwiseToday: boolean;
    };

/** A rule of the policies, and the code of the reason that it gives. */
export interface SpeakingRule {
  readonly rule: string;
  readonly code: string;
}

/** A rule that speaks on both sides, and asks for something else. */
export interface RuleAsking {
  readonly rule: string;
  /** The obligation that differs. */
  readonly asks: keyof Obligations;
}

export interface RuleDifference {
  /** Rules that give a reason only after the change. */
  readonly come: readonly SpeakingRule[];
  /** Rules that give a reason only before it. */
  readonly go: readonly SpeakingRule[];
  /** Rules whose obligations differ. */
  readonly otherwise: readonly RuleAsking[];
}

/** The rules that set obligations. An audit level holds nothing back. */
const RULES_OF_OBLIGATIONS: readonly RuleAsking[] = [
  { asks: 'approvals', rule: 'countersign.approvals.slots' },
  { asks: 'mfa', rule: 'countersign.terms.obligations' },
  { asks: 'phases', rule: 'countersign.terms.obligations' },
  { asks: 'valid_minutes', rule: 'countersign.terms.obligations' },
  { asks: 'confirm_word', rule: 'countersign.session.confirm_word' },
];

/** Takes a decision with the policies of one side. Total: an input of a wrong shape is a deny with `policy.invalid_input`. */
export type Evaluate = (side: Side, entrypoint: Entrypoint, input: StoredInput) => Decision;

/**
 * Takes a stored decision twice, today as it stands and with the change, and compares both. So a difference is the change's
 * alone, also if settings have moved since the decision was recorded.
 *
 * @param everything true if the policies themselves change: then the change touches every decision.
 */
export function putDecision(
  stored: StoredDecision,
  change: WorldChange,
  evaluate: Evaluate,
  everything = false,
): Putting {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    putInput(stored.entrypoint, stored.input, change, side),
  );
  if (before === undefined || after === undefined) throw new Error('a change has two sides');
  if (before.how === 'arguments_needed' || after.how === 'arguments_needed')
    return { result: 'not_put', why: 'arguments_needed' };
  const touched = [before, after].some((side) => side.how === 'unknown_tool' || side.touched);
  if (!touched && !everything) return { result: 'untouched' };
  const broken = notAsEvaluated(stored);
  if (broken !== null) return { result: 'not_put', why: broken };
  const take = (side: Side, put: typeof before): Decision =>
    put.how === 'put' ? evaluate(side, stored.entrypoint, put.input) : noDecision('policy.unknown_tool', put.tool);
  const [was, is] = [take('before', before), take('after', after)];
  if ([was, is].some(({ reasons }) => reasons.some(({ code }) => code === 'policy.invalid_input')))
    return { result: 'not_put', why: 'invalid_input' };
  const difference = compareCells(was, is, isLooser);
  return {
    result: 'put',
    before: was,
    after: is,
    change: difference,
    rules: difference === null ? NO_RULES : ruleDifference(was, is),
    otherwiseToday: was.outcome !== stored.decision.outcome,
  };
}

/**
 * Secrets are masked in the log, and two of them may have become equal. The input is then another than the one that was
 * evaluated.
 */
function notAsEvaluated({ input, inputDigest }: StoredDecision): NotPut | null {
  try {
    // It was stored as JSON.
    if (digestOf('policy-input', input as Json) === inputDigest) return null;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return 'altered';
    throw error;
  }
  return JSON.stringify(input).includes(MASK) ? 'masked' : 'altered';
}

const NO_RULES: RuleDifference = { come: [], go: [], otherwise: [] };

/** The same rule may refuse on one side and let pass on the other. So it is compared with its code. */
function ruleDifference(before: Decision, after: Decision): RuleDifference {
  const [was, is] = [speakingIn(before), speakingIn(after)];
  const without = (rules: typeof was, others: typeof was): SpeakingRule[] =>
    [...rules].flatMap(([key, rule]) => (others.has(key) ? [] : [rule]));
  return { come: without(is, was), go: without(was, is), otherwise: askingOtherwise(before, after) };
}

function speakingIn({ reasons }: Decision): ReadonlyMap<string, SpeakingRule> {
  const keyed = reasons.map(({ rule, code }) => [`${rule} ${code}`, { rule, code }] as const);
  return new Map(keyed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The obligations of a deny have no effect. */
function askingOtherwise(before: Decision, after: Decision): readonly RuleAsking[] {
  if (before.outcome === 'deny' || after.outcome === 'deny') return [];
  const of = ({ obligations }: Decision, asks: RuleAsking['asks']): string => canonicalJson(obligations[asks] ?? null);
  return RULES_OF_OBLIGATIONS.filter(({ asks }) => of(before, asks) !== of(after, asks));
}
