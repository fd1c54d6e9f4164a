import { MAX_TOOLS, type ToolDefinition, type ToolDocument } from '#lib/formats';
import { err, ok, type FieldError, type PlanId, type Result } from '#lib/kernel';
import { closest } from '#lib/words';
import type { ToolHead } from './tool-version.js';
import { compareDefinitions, NOT_SIMULATED, SIMULATED_WITH_SECRETS } from './compare-definitions.js';
import { completeDefinition } from './complete-definition.js';
import { escapePointer } from './json-pointer.js';

/** The change of one tool. */
export interface ToolChange {
  readonly name: string;
  readonly change: 'create' | 'update' | 'remove' | 'unchanged';
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
  readonly fields: readonly string[];
  readonly loosens: readonly string[];
  /** The definition to store, for create and update. */
  readonly definition: ToolDefinition | null;
}

/** Everything that a submitted catalog changes. */
export interface CatalogChange {
  readonly changes: readonly ToolChange[];
  readonly warnings: readonly FieldError[];
}

/** Tools that stay as they are although the submitted document does not name them. */
export type Keep = 'others_stay' | 'others_go';

/**
 * Compares the submitted tools with the present ones, by name. Every error of the document is found at once.
 *
 * @param at the pointer of a tool in the submitted document.
 */
export function planCatalogChange(
  heads: ReadonlyMap<string, ToolHead>,
  submitted: ReadonlyMap<string, ToolDocument>,
  keep: Keep,
  at: (name: string) => string = (name) => `/tools/${escapePointer(name)}`,
): Result<CatalogChange, readonly FieldError[]> {
  const completed = [...submitted].map(([name, document]) => ({
    name,
    result: completeDefinition(name, document, at(name)),
  }));
  const errors = completed.flatMap(({ result }) => (result.ok ? [] : result.error));
  const definitions = new Map(
    completed.flatMap(({ name, result }) => (result.ok ? [[name, result.value] as const] : [])),
  );

  const after = new Map<string, ToolDefinition>();
  for (const head of heads.values()) {
    if (!head.removed && keep === 'others_stay') after.set(head.name, head.current.definition);
  }
  for (const [name, definition] of definitions) after.set(name, definition);

  const warnings: FieldError[] = [];
  for (const [name, definition] of definitions) {
    const predictor = definition.simulated_by;
    if (predictor !== null)
      errors.push(...predictorErrors(predictor, after, submitted.has(predictor), `${at(name)}/simulated_by`));
    else if (definition.simulation === 'required') {
      warnings.push({
        pointer: at(name),
        code: 'tool.never_simulated',
        message: `Nothing predicts what ${name} does (simulated_by), so that no plan with it can be simulated, approved or executed.`,
      });
    }
    if (definition.parameters.additionalProperties !== false) {
      warnings.push({
        pointer: `${at(name)}/parameters`,
        code: 'tool.open_parameters',
        message: `${name} accepts arguments that its parameters do not name.`,
        suggestion: 'additionalProperties: false',
      });
    }
  }
  for (const [name, definition] of after) {
    const predictor = definition.simulated_by;
    if (definitions.has(name) || predictor === null || !definitions.has(predictor)) continue;
    if (predictorErrors(predictor, after, true, '').length > 0) {
      errors.push({
        pointer: `${at(predictor)}/risk`,
        code: 'tool.predictor_changes_state',
        message: `${predictor} simulates ${name}, so that it stays a plan_only tool.`,
        suggestion: 'plan_only',
      });
    }
  }
  if (after.size > MAX_TOOLS) {
    errors.push({ pointer: '', code: 'tool.too_many', message: `A tenant has at most ${String(MAX_TOOLS)} tools.` });
  }
  if (errors.length > 0) return err(errors);

  const names = new Set([...definitions.keys(), ...(keep === 'others_go' ? heads.keys() : [])]);
  const changes = [...names].sort().flatMap((name) => {
    const change = changeOf(name, heads.get(name), definitions.get(name));
    return change === null ? [] : [change];
  });
  return ok({ changes, warnings });
}

const changesState = ({ risk }: ToolDefinition): boolean =>
  risk === 'state_change_nonprod' || risk === 'state_change_prod';

function predictorErrors(
  predictor: string,
  after: ReadonlyMap<string, ToolDefinition>,
  submitted: boolean,
  pointer: string,
): FieldError[] {
  const tool = after.get(predictor);
  if (tool === undefined) {
    if (submitted) return [];
    const meant = closest(predictor, [...after.keys()]);
    return [
      {
        pointer,
        code: 'tool.unknown_predictor',
        message: `There is no tool "${predictor}".`,
        ...(meant === undefined ? {} : { suggestion: meant }),
      },
    ];
  }
  if (tool.risk === 'plan_only' || tool.risk === 'read_only') return [];
  return [
    {
      pointer,
      code: 'tool.predictor_changes_state',
      message: `${predictor} changes state: a simulation is a plan_only tool.`,
    },
  ];
}

function changeOf(name: string, head: ToolHead | undefined, definition: ToolDefinition | undefined): ToolChange | null {
  const standing = head === undefined || head.removed ? null : head.current;
  const next = (head?.current.version ?? 0) + 1;
  if (definition === undefined) {
    if (standing === null) return null;
    return {
      name,
      change: 'remove',
      fromVersion: standing.version,
      toVersion: null,
      fields: [],
      loosens: [],
      definition: null,
    };
  }
  if (standing === null) {
    const loosens = [
      'agents can call it',
      ...(changesState(definition) && definition.simulation === 'not_applicable' ? [NOT_SIMULATED] : []),
      ...(definition.simulation_secrets === true ? [SIMULATED_WITH_SECRETS] : []),
      ...(head === undefined ? [] : compareDefinitions(head.current.definition, definition).loosens),
    ];
    return { name, change: 'create', fromVersion: null, toVersion: next, fields: [], loosens, definition };
  }
  const { fields, loosens } = compareDefinitions(standing.definition, definition);
  if (fields.length === 0) {
    return {
      name,
      change: 'unchanged',
      fromVersion: standing.version,
      toVersion: standing.version,
      fields,
      loosens,
      definition: null,
    };
  }
  return { name, change: 'update', fromVersion: standing.version, toVersion: next, fields, loosens, definition };
}

/** In words and with the tools' names, the new freedoms that a whole change gives agents. */
export const loosenedByCatalog = (changes: readonly ToolChange[]): readonly string[] =>
  changes.flatMap(({ name, loosens }) => loosens.map((what) => `${name}: ${what}`));

/** A live plan holds the tool: then it is neither removed nor loosened. */
export function refusedWhileInUse(change: ToolChange, livePlans: readonly PlanId[]): boolean {
  return (
    livePlans.length > 0 && (change.change === 'remove' || (change.change === 'update' && change.loosens.length > 0))
  );
}
