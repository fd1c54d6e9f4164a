import type { Assignment, Command, CommandArgument, Redirection, Word } from 'unbash';
import { executableRedirections } from './executable-redirections.js';
import { executableWords } from './executable-words.js';
import { NotExecutable } from './not-executable.js';
import type { SourceContext } from './source-context.js';
import type { ReadScript } from './read-script.js';
import { TREE_ASSIGNMENT, type TreeCommand, type TreeWord } from './shell-tree.js';

/**
 * Builtins of a shell. No program has their name, or a program that does something else. `cd` is none of them: the runner keeps the
 * current folder itself.
 */
const SHELL_ONLY: ReadonlySet<string> = new Set([
  ...[
    '.',
    ':',
    'alias',
    'bg',
    'bind',
    'break',
    'builtin',
    'caller',
    'chdir',
    'command',
    'compgen',
    'complete',
    'compopt',
  ],
  ...[
    'continue',
    'coproc',
    'declare',
    'dirs',
    'disown',
    'enable',
    'eval',
    'exec',
    'exit',
    'export',
    'fc',
    'fg',
    'getopts',
  ],
  ...['hash', 'help', 'history', 'jobs', 'let', 'local', 'logout', 'mapfile', 'popd', 'pushd', 'read', 'readarray'],
  ...['readonly', 'return', 'set', 'shift', 'shopt', 'source', 'suspend', 'times', 'trap', 'type', 'typeset', 'ulimit'],
  ...['umask', 'unalias', 'unset', 'wait'],
]);

/** A simple command of the tree. */
export function executableCommand(command: Command, context: SourceContext, readScript: ReadScript): TreeCommand {
  const { name } = command;
  const redirections = executableRedirections(command.redirects, context, readScript);
  if (name === undefined) {
    const assigned = command.prefix.find((node): node is Assignment => node.type === 'Assignment');
    if (assigned !== undefined) throw assignmentRefusal(assigned, context);
    return { assignments: [], program: null, arguments: [], redirections };
  }
  const assignments = command.prefix.flatMap((node) =>
    node.type === 'Assignment' ? [readAssignment(node, context, readScript)] : [],
  );
  const program = readProgram(name, context, readScript);
  const words = command.suffix.flatMap((node) => readArgument(node, context, readScript));
  if (program === 'cd') checkFolder(words, context, command);
  return { assignments, program, arguments: words, redirections };
}

function readArgument(
  node: CommandArgument | Redirection,
  context: SourceContext,
  readScript: ReadScript,
): readonly TreeWord[] {
  if (node.type === 'Word') return executableWords(node, context, readScript);
  if (node.type === 'Assignment') throw assignmentRefusal(node, context);
  return [];
}

function readProgram(name: Word, context: SourceContext, readScript: ReadScript): string {
  const [word, another] = executableWords(name, context, readScript);
  const piece = word?.[0];
  if (another !== undefined || word?.length !== 1 || piece?.type !== 'text' || piece.text === '') {
    throw new NotExecutable('Program', 'Write the name of the program itself.', context, name);
  }
  if (SHELL_ONLY.has(piece.text)) {
    throw new NotExecutable('Builtin', 'Write the line without it. Instead of : write true.', context, name);
  }
  return piece.text;
}

function readAssignment(
  node: Assignment,
  context: SourceContext,
  readScript: ReadScript,
): { name: string; value: string } {
  const { name, value } = node;
  if (!TREE_ASSIGNMENT.test(name) || node.append === true || node.index !== undefined || value.type !== 'Word') {
    throw assignmentRefusal(node, context);
  }
  // `TZ=` has a value without any part.
  if (value.text === '') return { name, value: '' };
  const [word, another] = executableWords(value, context, readScript);
  const piece = word?.[0];
  if (another !== undefined || word?.length !== 1 || piece?.type !== 'text') throw assignmentRefusal(node, context);
  return { name, value: piece.text };
}

const assignmentRefusal = (node: Assignment, context: SourceContext): NotExecutable =>
  new NotExecutable(
    node.value.type === 'ArrayValue' ? 'ArrayValue' : 'Assignment',
    'Write the value at its context. Before a program, LANG, LC_*, TZ, NO_COLOR and the like may have a literal value.',
    context,
    node,
  );

/** The runner's own `cd` takes one folder and nothing else. */
function checkFolder(words: readonly TreeWord[], context: SourceContext, command: Command): void {
  const [folder, another] = words;
  const first = folder?.[0];
  if (folder !== undefined && another === undefined && !(first?.type === 'text' && /^(?:-|$)/.test(first.text))) return;
  throw new NotExecutable(
    'cd without exactly one folder',
    'Name one folder inside the workspace: cd folder.',
    context,
    command,
  );
}
