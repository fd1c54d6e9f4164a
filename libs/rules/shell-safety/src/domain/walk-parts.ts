import type { ParameterExpansionPart, ParameterOperation, Word, WordPart } from 'unbash';
import { assignmentEffect } from './judge-assignment.js';
import { judgeArithmetic, judgeNestedParentheses } from './judge-arithmetic.js';
import { elementReadOtherwise } from './other-shells.js';
import { namesSecret } from './paths.js';
import { endOf, startOf, type SourceContext } from './source-context.js';
import type { Reader } from './reader.js';
import { isSecretVariable } from './secret-variables.js';
import type { ShellClass, Tier } from './verdict.js';

const PARAMETER = /^(?:[A-Za-z_]\w*|[0-9]+|[@*#?$!-])$/;

/** Walks the parts of a word for everything that the shell executes or evaluates to expand it. */
export function walkParts(parts: readonly WordPart[], context: SourceContext, reader: Reader): void {
  for (const part of parts) walkPart(part, context, reader);
}

function walkPart(part: WordPart, context: SourceContext, reader: Reader): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return;
    case 'SimpleExpansion':
      judgeVariable(part.text.slice(1), part, context, reader);
      return;
    case 'AnsiCQuoted':
      // Bash decodes `\\x{72}`, which the parser leaves as it is.
      if (part.text.includes('\\x{')) {
        note(part, context, reader, 'UNKNOWN', 3, 'shell.unknown_escape', 'Shells differ on \\x{ inside these quotes.');
      }
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      walkParts(part.parts, context, reader);
      return;
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      if (part.parts !== undefined) walkParts(part.parts, context, reader);
      return;
    case 'ArithmeticExpansion': {
      const old = part.text.startsWith('$[');
      const text = old ? part.text.slice(2, -1) : part.text.slice(3, -2);
      judgeArithmetic(text, part.pos + (old ? 2 : 3), part, context, reader);
      return;
    }
    case 'CommandExpansion':
      note(
        part,
        context,
        reader,
        'READ_ONLY',
        2,
        'shell.command_substitution',
        'The output of a command becomes part of the line.',
      );
      judgeNestedParentheses(part, context, reader);
      reader.script(part.script, context, part);
      return;
    case 'ProcessSubstitution':
      note(
        part,
        context,
        reader,
        'READ_ONLY',
        2,
        'shell.process_substitution',
        'A command stands in the place of a file.',
      );
      judgeNestedParentheses(part, context, reader);
      reader.script(part.script, context, part);
      return;
    case 'ParameterExpansion':
      walkParameter(part, context, reader);
  }
}

/** The value of a variable that was set before the line can be a password. */
function judgeVariable(name: string, part: WordPart, context: SourceContext, reader: Reader): void {
  if (!isSecretVariable(name)) return;
  note(part, context, reader, 'READ_ONLY', 2, 'shell.reads_secret', `The variable ${name} may hold a secret.`);
}

function walkParameter(part: ParameterExpansionPart, context: SourceContext, reader: Reader): void {
  const { parameter, prefix, index, operation } = part;
  // `${#x}` and `${x:+set}` do not show the value.
  if (prefix === undefined && !(operation?.type === 'Default' && operation.operator.endsWith('+')))
    judgeVariable(parameter, part, context, reader);
  if (!PARAMETER.test(parameter) && !(parameter === '' && prefix !== undefined)) {
    note(
      part,
      context,
      reader,
      'UNKNOWN',
      3,
      'shell.unknown_expansion',
      `No shell of the list knows the expansion ${part.text}.`,
    );
  }
  if (prefix === '!' && operation?.type !== 'Names' && index?.text !== '@' && index?.text !== '*') {
    note(
      part,
      context,
      reader,
      'UNKNOWN',
      2,
      'shell.indirect_expansion',
      `The value of ${parameter} is evaluated as a name.`,
    );
    reader.judgement.evaluate([parameter]);
  }
  if (index !== undefined && index.text !== '@' && index.text !== '*') subscript(index, context, reader);
  if (operation !== undefined) walkOperation(operation, part, context, reader);
}

/** The subscript of an array is arithmetic. */
export function subscript(index: Word, context: SourceContext, reader: Reader): void {
  judgeArithmetic(index.text, index.pos, index, context, reader);
}

function walkOperation(
  operation: ParameterOperation,
  part: ParameterExpansionPart,
  context: SourceContext,
  reader: Reader,
): void {
  switch (operation.type) {
    case 'Default': {
      const value = reader.word(operation.operand, context);
      if (operation.operator.endsWith('=')) {
        const effect = assignmentEffect(part.parameter, value.value, false, value);
        if (effect !== null) reader.judgement.construct(effect);
        reader.judgement.store(part.parameter, value);
        const secret = `The variable ${part.parameter} names a path that may hold secrets.`;
        if (namesSecret(value)) note(part, context, reader, 'READ_ONLY', 2, 'shell.reads_secret', secret);
        const otherwise = part.index === undefined ? null : elementReadOtherwise(part.parameter, context.shell);
        if (otherwise !== null) note(part, context, reader, 'UNKNOWN', 3, 'shell.other_shell', `${otherwise}.`);
      }
      return;
    }
    case 'Remove':
      reader.word(operation.operand, context);
      return;
    case 'Replace':
      reader.word(operation.pattern, context);
      reader.word(operation.replacement, context);
      return;
    case 'Slice':
      subscript(operation.offset, context, reader);
      if (operation.length !== undefined) subscript(operation.length, context, reader);
      return;
    case 'CaseModification':
      if (operation.operand !== undefined) reader.word(operation.operand, context);
      return;
    case 'Transform':
      if (/^[QEAaKkUuL]$/.test(operation.operand.text)) return;
      note(
        part,
        context,
        reader,
        'UNKNOWN',
        3,
        'shell.prompt_expansion',
        `${part.text} executes the commands in a value.`,
      );
      return;
    case 'Names':
      return;
    case 'Unknown':
      note(
        part,
        context,
        reader,
        'UNKNOWN',
        3,
        'shell.unknown_expansion',
        `No shell of the list knows the expansion ${part.text}.`,
      );
  }
}

function note(
  part: { readonly pos: number; readonly end: number },
  context: SourceContext,
  reader: Reader,
  shellClass: ShellClass,
  tier: Tier,
  code: string,
  message: string,
): void {
  const [start, end] = [startOf(context, part.pos), endOf(context, part.end)];
  reader.judgement.construct({ class: shellClass, tier, code, message, start, end });
}
