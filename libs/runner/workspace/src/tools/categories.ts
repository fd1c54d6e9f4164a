import type { ToolDocument } from '#lib/formats';

type Classification = Required<Pick<ToolDocument, 'risk' | 'effect' | 'surface' | 'scope' | 'idempotent'>> &
  Pick<ToolDocument, 'requires_plan'>;

/** Categories of tools, in the words of a tool's document. The level follows from them (ADR-009). */
export const CATEGORIES = {
  read: { risk: 'read_only', effect: 'read', surface: 'workspace', scope: 'asset', idempotent: true },
  'workspace-write': {
    risk: 'state_change_nonprod',
    effect: 'modify',
    surface: 'workspace',
    scope: 'asset',
    idempotent: true,
    requires_plan: false,
  },
  'git-read': { risk: 'read_only', effect: 'read', surface: 'git', scope: 'asset', idempotent: true },
  'git-write': {
    risk: 'state_change_nonprod',
    effect: 'modify',
    surface: 'git',
    scope: 'asset',
    idempotent: true,
    requires_plan: false,
  },
  /** A script of the workspace may change any file: it counts as a build script. */
  'terminal-write': {
    risk: 'state_change_nonprod',
    effect: 'modify',
    surface: 'terminal',
    scope: 'asset',
    idempotent: false,
    requires_plan: false,
  },
  network: { risk: 'read_only', effect: 'read', surface: 'network', scope: 'asset', idempotent: true },
} as const satisfies Readonly<Record<string, Classification>>;

export type Category = keyof typeof CATEGORIES;

/** JSON Pointers to the arguments that are paths, as `path_arguments` names them. */
export interface PathPointers {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

/**
 * The document of a tool of a category, before its parameters. A change of named things needs no simulation, since the snapshot before it is the way back.
 *
 * @param effect `destructive` for a deletion: its approval takes a typed word, and its level is high.
 */
export const documentOf = (
  category: Category,
  description: string,
  seconds: number,
  identityFields: readonly string[] = [],
  { reads = [], writes = [] }: PathPointers = {},
  effect: Classification['effect'] = CATEGORIES[category].effect,
): Omit<ToolDocument, 'parameters'> & { readonly time_limit_seconds: number } => ({
  ...CATEGORIES[category],
  effect,
  description,
  time_limit_seconds: seconds,
  ...(identityFields.length > 0 ? { identity_fields: [...identityFields] } : {}),
  ...(reads.length + writes.length > 0
    ? {
        path_arguments: {
          ...(reads.length > 0 ? { reads: [...reads] } : {}),
          ...(writes.length > 0 ? { writes: [...writes] } : {}),
        },
      }
    : {}),
  ...(effect === 'read' ? {} : { simulation: 'not_applicable' as const }),
});
