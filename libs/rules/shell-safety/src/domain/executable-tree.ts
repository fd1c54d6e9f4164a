import { parse, type AndOr, type CommandNode, type PipelineNode, type ParsedScript, type Statement } from 'unbash';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import { checkText } from './check-text.js';
import { executableCommand } from './executable-command.js';
import { LIMITS } from './limits.js';
import { NotExecutable } from './not-executable.js';
import { lineOf, type SourceContext } from './source-context.js';
import { NO_COMMAND, Refusal, unparsable, UNREADABLE } from './refusal.js';
import type { ShellTree, TreeCommand, TreeList, TreePipeline } from './shell-tree.js';
import type { Shell } from './verdict.js';

/**
 * The tree that a runner executes for a line, in the meaning that bash gives the line. A runner executes this tree and
 * never the text. So a second reading of the text cannot differ from the approved one (T53).
 *
 * The tree holds simple commands, pipelines, `&& || ; !`, redirections, here-documents, here-strings, patterns, the variables of
 * `TREE_VARIABLES`, `{a,b}` of literals, and command substitution. It says nothing about the safety of the line: the verdict does.
 *
 * Errors: `shell.not_executable` with `details.node`, and the codes of lines that cannot be read (`shell.unparsable`, `shell.nul`,
 * `shell.control_character`, `shell.too_long`, `shell.too_deep`, `shell.unreadable`). `details.start` and `details.end` are UTF-16
 * offsets into the line, half open.
 */
export function executableTree(command: string, shell: Shell = 'unknown'): Result<ShellTree> {
  try {
    checkText(command);
    const context = lineOf(command, shell);
    if (shell === 'zsh') {
      const advice = 'Write the line for bash, and name bash as its shell.';
      throw new NotExecutable('a line as zsh reads it', advice, context, { pos: 0, end: command.length });
    }
    const list = readScript(parse(command), context);
    if (list.length === 0) throw new Refusal(NO_COMMAND.code, NO_COMMAND.message, 0, command.length);
    return ok({ version: 1, list });
  } catch (error) {
    return err(failureOf(error, command));
  }
}

/** The list of a line or of a substitution. */
function readScript(script: ParsedScript, context: SourceContext): TreeList {
  if (context.depth > LIMITS.depth) {
    const message = `More than ${String(LIMITS.depth)} substitutions stand inside each other. Flatten them.`;
    throw new Refusal('shell.too_deep', message, context.whole?.start ?? 0, context.whole?.end ?? 0);
  }
  const check = (): void => {
    const error = script.errors?.[0];
    if (error === undefined) return;
    const start = context.whole?.start ?? error.pos + context.shift;
    throw unparsable(`The line is no valid command: ${error.message}.`, start, start);
  };
  check();
  const list = script.commands.flatMap((statement) => readStatement(statement, context));
  // The parser reads words when they are asked for: errors can appear in the meantime.
  check();
  return list;
}

function readStatement(statement: Statement, context: SourceContext): TreePipeline[] {
  if (statement.background === true) {
    throw new NotExecutable(
      'Background',
      'Remove the &: the runner streams output, and ends what is left.',
      context,
      statement,
    );
  }
  const { command } = statement;
  if (command.type !== 'AndOr') return [readPipeline(command, 'always', context)];
  return command.commands.map((node, index) => readPipeline(node, whenOf(command, index), context));
}

function whenOf({ operators }: AndOr, index: number): TreePipeline['when'] {
  if (index === 0) return 'always';
  return operators[index - 1] === '&&' ? 'success' : 'failure';
}

function readPipeline(node: PipelineNode, when: TreePipeline['when'], context: SourceContext): TreePipeline {
  if (node.type !== 'Pipeline') return { when, negated: false, commands: [readCommand(node, context)] };
  const time = node.prefixes.find(({ type }) => type === 'Time');
  if (time !== undefined)
    throw new NotExecutable('Time', 'Leave time out: the result says how long it took.', context, time);
  const commands = node.commands.map((command, index) => {
    const read = readCommand(command, context);
    // `|&` is a redirection behind all others of its command.
    if (node.operators[index] !== '|&') return read;
    return { ...read, redirections: [...read.redirections, { type: 'duplicate', descriptor: 2, source: 1 } as const] };
  });
  return { when, negated: node.prefixes.length % 2 === 1, commands };
}

function readCommand(node: CommandNode, context: SourceContext): TreeCommand {
  if (node.type === 'Command') return executableCommand(node, context, readScript);
  const inner = node.type === 'Redirected' ? node.command : node;
  throw new NotExecutable(
    inner.type,
    'Write single commands, joined by |, &&, || or ;, or put them into a file.',
    context,
    node,
  );
}

function failureOf(error: unknown, command: string): Failure {
  if (!(error instanceof Refusal))
    return { kind: 'unprocessable', ...UNREADABLE, details: { start: 0, end: command.length } };
  const { code, message, start, end } = error;
  const details = { start, end: Math.max(end, Math.min(start + 1, command.length)) };
  if (!(error instanceof NotExecutable)) return { kind: 'unprocessable', code, message, details };
  return { kind: 'unprocessable', code, message, action: error.advice, details: { node: error.node, ...details } };
}
