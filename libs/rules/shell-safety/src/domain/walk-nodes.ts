import type {
  AndOr,
  ArithmeticCommand,
  ArithmeticFor,
  CompoundCommand,
  CompoundList,
  Coproc,
  For,
  Function as FunctionNode,
  Pipeline,
  PipelineNode,
  Redirected,
  Select,
  Statement,
} from 'unbash';
import { findRow } from './find-row.js';
import { assignmentEffect } from './judge-assignment.js';
import { judgeArithmetic, judgeNestedParentheses } from './judge-arithmetic.js';
import { effectAt } from './effect.js';
import { readsAsSh } from './other-shells.js';
import { readsOutside } from './outside-paths.js';
import { namesFolderOfSecrets, namesSecret } from './paths.js';
import { deeper, endOf, startOf, type SourceContext } from './source-context.js';
import type { ReadCall } from './read-call.js';
import type { Input, Node, Reader } from './reader.js';
import { unparsable } from './refusal.js';
import { unknown } from './read-word.js';
import { walkCommand } from './walk-command.js';
import { walkTest } from './walk-test.js';

/** Words that bash refuses behind the first word of a coproc. */
const RESERVED: ReadonlySet<string> = new Set(
  '! { } [[ ]] if then elif else fi do done case esac in while until for select function coproc'.split(' '),
);

type AnyNode = PipelineNode | AndOr | CompoundCommand | Redirected | CompoundList;

/** Walks a list of statements, or the body of a compound command. */
export function walkStatements(
  statements: readonly Statement[],
  context: SourceContext,
  input: Input | null,
  reader: Reader,
): void {
  for (const { command } of statements) walkNode(command, context, input, reader);
}

/** @returns the words of a simple command as the row of its program reads them; null for any other node */
function walkNode(node: AnyNode, context: SourceContext, input: Input | null, reader: Reader): ReadCall | null {
  switch (node.type) {
    case 'Command':
      return walkCommand(node, context, input, reader);
    case 'Pipeline':
      walkPipeline(node, context, input, reader);
      return null;
    case 'AndOr':
      for (const command of node.commands) walkNode(command, context, input, reader);
      return null;
    case 'Redirected':
      walkNode(node.command, context, input, reader);
      reader.redirections(node.redirects, context);
      return null;
    case 'Function':
      walkFunction(node, inside(node, context, reader), reader);
      return null;
    case 'Coproc':
      walkCoproc(node, inside(node, context, reader), reader);
      return null;
    default:
      walkCompound(node, inside(node, context, reader), input, reader);
      return null;
  }
}

function walkCompound(
  node: CompoundCommand | CompoundList,
  context: SourceContext,
  input: Input | null,
  reader: Reader,
): void {
  const list = (statements: CompoundList): void => {
    walkStatements(statements.commands, context, input, reader);
  };
  switch (node.type) {
    case 'CompoundList':
      list(node);
      return;
    case 'Subshell':
      judgeNestedParentheses(node, context, reader);
      list(node.body);
      return;
    case 'BraceGroup':
      list(node.body);
      return;
    case 'If':
      list(node.clause);
      list(node.then);
      for (const branch of node.elif) {
        list(branch.clause);
        list(branch.then);
      }
      if (node.else !== undefined) list(node.else);
      return;
    case 'While':
      list(node.clause);
      list(node.body);
      return;
    case 'For':
    case 'Select':
      walkFor(node, context, reader);
      list(node.body);
      return;
    case 'Case':
      reader.word(node.word, context);
      for (const item of node.items) {
        for (const pattern of item.pattern) reader.word(pattern, context);
        list(item.body);
      }
      return;
    case 'TestCommand':
      walkTest(node, context, reader);
      return;
    case 'ArithmeticCommand':
      walkArithmeticCommand(node, context, reader);
      return;
    case 'ArithmeticFor':
      walkArithmeticFor(node, context, reader);
      list(node.body);
  }
}

function walkPipeline(node: Pipeline, context: SourceContext, input: Input | null, reader: Reader): void {
  const { commands, operators } = node;
  for (const { type, pos, end } of node.prefixes) {
    if (type !== 'Negation' || context.source[end] !== '(') continue;
    const at = spanOf({ pos, end: end + 1 }, context);
    const message =
      'bash with extglob takes !( for a pattern that names a program. Put a space behind the exclamation mark.';
    reader.judgement.construct(effectAt(at, 'UNKNOWN', 2, 'shell.dynamic_program', message));
  }
  const calls: (ReadCall | null)[] = [];
  for (let count = 0; count < commands.length; count++) {
    const command = commands[count];
    if (command === undefined) return;
    const from = count === 0 ? input : { pipeline: commands, operators, count, calls, input };
    calls.push(walkNode(command, context, from, reader));
  }
}

function walkFor(node: For | Select, context: SourceContext, reader: Reader): void {
  const { judgement } = reader;
  const name = reader.word(node.name, context);
  const effect = assignmentEffect(name.value ?? '', null, false, name);
  if (effect !== null) judgement.construct(effect);
  // Without a list, the words of the call: the line does not show them.
  if (node.wordlist === undefined) judgement.store(name.value ?? '', unknown('$@', 'many', '', name.start, name.end));
  // A person types it.
  if (node.type === 'Select') judgement.store('REPLY', unknown('REPLY', 'one', '', name.start, name.end), true);
  for (const each of node.wordlist ?? []) {
    const word = reader.word(each, context);
    judgement.store(name.value ?? '', word);
    if (namesSecret(word) || namesFolderOfSecrets(word)) {
      judgement.construct(effectAt(word, 'READ_ONLY', 2, 'shell.reads_secret', `${word.text} may hold secrets.`));
    } else if (readsOutside(word)) {
      const message = `${word.text} may lie outside the workspace.`;
      judgement.construct(effectAt(word, 'READ_ONLY', 2, 'shell.reads_outside', message));
    }
  }
}

function walkFunction(node: FunctionNode, context: SourceContext, reader: Reader): void {
  const { judgement } = reader;
  const name = node.name.value;
  if (findRow(name, reader.table) !== null) {
    const message = `The function ${name} stands in the place of the program ${name}.`;
    const at = { start: startOf(context, node.name.pos), end: endOf(context, node.name.end) };
    judgement.construct(effectAt(at, 'UNKNOWN', 2, 'shell.shadows_program', message));
  }
  judgement.enterFunction(name);
  walkNode(node.body, context, null, reader);
  judgement.leaveFunction();
}

function walkCoproc(node: Coproc, context: SourceContext, reader: Reader): void {
  const at = spanOf(node, context);
  if (context.shell !== 'bash') {
    const message = 'Only bash reads coproc so; other shells execute other words of it.';
    reader.judgement.construct(effectAt(at, 'UNKNOWN', 3, 'shell.other_shell', message));
  }
  const effect = node.name === undefined ? null : assignmentEffect(node.name.value, null, false, at);
  if (effect !== null) reader.judgement.construct(effect);
  // Bash sets it to descriptors.
  if (node.name !== undefined) reader.judgement.store(node.name.value, unknown('', 'many', '', at.start, at.end), true);
  const [first] = node.body.type === 'Command' ? node.body.suffix : [];
  // There, bash still expects that a command begins.
  if (first?.type === 'Word' && (RESERVED.has(first.text) || first.text.includes('('))) {
    const message = `${first.text} cannot stand behind the first word of a coproc.`;
    throw unparsable(message, at.start, at.end);
  }
  walkNode(node.body, context, null, reader);
}

function walkArithmeticCommand(node: ArithmeticCommand, context: SourceContext, reader: Reader): void {
  reader.judgement.construct(
    effectAt(spanOf(node, context), 'READ_ONLY', 1, 'shell.read_only', 'This calculates with variables of the shell.'),
  );
  judgeArithmetic(node.body, node.pos + 2, node, context, reader);
  // A shell without `((` executes the text in a subshell.
  if (readsAsSh(context.shell)) reader.again(node.body, node.pos + 2, context);
}

function walkArithmeticFor(node: ArithmeticFor, context: SourceContext, reader: Reader): void {
  const text = context.source.slice(node.pos, node.body.pos);
  const open = text.indexOf('((') + 2;
  const close = text.lastIndexOf('))');
  const sections = text.slice(open, close).split(';');
  let at = node.pos + open;
  for (const section of sections) {
    judgeArithmetic(section, at, node, context, reader);
    at += section.length + 1;
  }
}

const spanOf = (node: Node, context: SourceContext): { start: number; end: number } => ({
  start: startOf(context, node.pos),
  end: endOf(context, node.end),
});

function inside(node: Node, context: SourceContext, reader: Reader): SourceContext {
  reader.judgement.checkDepth(context.depth + 1, startOf(context, node.pos), endOf(context, node.end));
  return deeper(context);
}
