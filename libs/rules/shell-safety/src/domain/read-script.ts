import type { ParsedScript } from 'unbash';
import type { SourceContext } from './source-context.js';
import type { TreeList } from './shell-tree.js';

/** Reads the commands of a substitution into a tree. @throws Refusal at a construct that no tree has. */
export type ReadScript = (script: ParsedScript, context: SourceContext) => TreeList;
