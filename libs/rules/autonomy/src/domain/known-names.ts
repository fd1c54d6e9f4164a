import { STANDARD_ROLES, ANY_ROLE, type AutonomyDocument } from '#lib/formats';
import { type FieldError } from '#lib/kernel';
import { closest } from '#lib/words';
import { positionOf, pointerOf } from './explain-issue.js';
import type { SourcedDocument } from './read-document.js';

/** The names that a document may use. */
export interface KnownNames {
  readonly environments: readonly string[];
  readonly tools: readonly string[];
  readonly roles: readonly string[];
}

const NAMED_ROLES: ReadonlySet<string> = new Set(['emergency_override', 'freezes']);

interface RolesAt {
  readonly path: readonly string[];
  readonly roles: readonly string[];
}

/** Unknown names in the document: a misspelt environment would leave the real one to the tenant's mode. */
export function unknownNames({ document, yaml }: SourcedDocument, known: KnownNames): FieldError[] {
  const errors: FieldError[] = [];
  const check = (
    kind: 'environment' | 'tool' | 'role',
    name: string,
    names: readonly string[],
    path: readonly string[],
  ): void => {
    if (names.includes(name)) return;
    const pointer = pointerOf(path);
    const meant = closest(name, names);
    errors.push({
      pointer,
      code: `autonomy.unknown_${kind}`,
      message: `There is no ${kind} ${JSON.stringify(name)}.`,
      ...(kind === 'role' ? positionOf(pointer, yaml) : (yaml.keys.get(pointer) ?? positionOf(pointer, yaml))),
      ...(meant === undefined ? {} : { suggestion: meant }),
    });
  };
  const { environments = {}, tool_overrides: overrides = {} } = document.autonomy;
  for (const name of Object.keys(environments))
    check('environment', name, known.environments, ['autonomy', 'environments', name]);
  for (const name of Object.keys(overrides)) check('tool', name, known.tools, ['autonomy', 'tool_overrides', name]);
  for (const [index, freeze] of (document.freezes ?? []).entries()) {
    const at = ['freezes', String(index)];
    freeze.environments?.forEach((name, position) => {
      check('environment', name, known.environments, [...at, 'environments', String(position)]);
    });
    freeze.tools?.forEach((name, position) => {
      check('tool', name, known.tools, [...at, 'tools', String(position)]);
    });
  }
  const roles = [...new Set([...STANDARD_ROLES, ...known.roles])];
  for (const { path, roles: named } of rolesIn(document)) {
    // Break-glass and freezes take named roles: "any" would open them to everybody.
    const possible = NAMED_ROLES.has(path[0] ?? '') || path.includes('escalation') ? roles : [ANY_ROLE, ...roles];
    named.forEach((role, index) => {
      check('role', role, possible, [...path, String(index)]);
    });
  }
  return errors;
}

function rolesIn(document: AutonomyDocument): RolesAt[] {
  const { autonomy, emergency_override: emergency } = document;
  const blocks: readonly (readonly [readonly string[], Pick<typeof autonomy, 'allowed_approvers' | 'quorum'>])[] = [
    [['autonomy'], autonomy],
    ...Object.entries(autonomy.environments ?? {}).map(
      ([name, block]) => [['autonomy', 'environments', name], block] as const,
    ),
    ...Object.entries(autonomy.tool_overrides ?? {}).map(
      ([name, block]) => [['autonomy', 'tool_overrides', name], block] as const,
    ),
  ];
  return [
    ...blocks.flatMap(([path, block]) => [
      { path: [...path, 'allowed_approvers'], roles: block.allowed_approvers ?? [] },
      ...(block.quorum ?? []).map((slot, index) => ({
        path: [...path, 'quorum', String(index), 'roles'],
        roles: slot.roles,
      })),
    ]),
    ...Object.entries(autonomy.environments ?? {}).map(([name, { escalation }]) => ({
      path: ['autonomy', 'environments', name, 'escalation', 'to'],
      roles: escalation?.to ?? [],
    })),
    ...(document.freezes ?? []).map(({ may_pass: roles = [] }, index) => ({
      path: ['freezes', String(index), 'may_pass'],
      roles,
    })),
    { path: ['emergency_override', 'allowed_roles'], roles: emergency?.allowed_roles ?? [] },
  ];
}
