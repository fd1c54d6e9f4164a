import type { TestCommand, TestExpression, Word } from 'unbash';
import { effectAt } from './effect.js';
import { judgeEvaluatedWord } from './judge-evaluated-word.js';
import { readsAsSh } from './other-shells.js';
import { endOf, startOf, type SourceContext } from './source-context.js';
import type { Reader } from './reader.js';

/** Operators of `[[` on arithmetic, which executes commands in a subscript, out of quotes too. */
const NUMBERS: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
/** Characters that end a command for a shell that does not know `[[`. */
const OPERATORS = /[&|;<>()]/;
/** A process substitution without a space before it makes one word with `[[`, which is then the name of a program. */
const GLUED = /^[<>]\(/;

/**
 * Walks `[[ … ]]`. A shell without it executes a program called `[[`, so that operators in it begin commands of their own. Every shell
 * does so if a process substitution follows without a space.
 */
export function walkTest(test: TestCommand, context: SourceContext, reader: Reader): void {
  const at = { start: startOf(context, test.pos), end: endOf(context, test.end) };
  reader.judgement.construct(effectAt(at, 'READ_ONLY', 1, 'shell.read_only', 'This checks a condition.'));
  walkExpression(test.expression, context, reader);
  const text = context.source.slice(test.pos + 2, test.end);
  if (GLUED.test(text) || (readsAsSh(context.shell) && OPERATORS.test(text)))
    reader.again(`: ${text}`, test.pos, context);
}

function walkExpression(expression: TestExpression, context: SourceContext, reader: Reader): void {
  switch (expression.type) {
    case 'TestUnary': {
      const operand = reader.word(expression.operand, context);
      if (expression.operator === '-v' || expression.operator === '-R') judgeEvaluatedWord(operand, 'name', reader);
      return;
    }
    case 'TestBinary': {
      const operands = [expression.left, expression.right].map((word: Word) => reader.word(word, context));
      if (NUMBERS.has(expression.operator))
        for (const operand of operands) judgeEvaluatedWord(operand, 'number', reader);
      return;
    }
    case 'TestLogical':
      for (const operand of expression.operands) walkExpression(operand, context, reader);
      return;
    case 'TestNot':
      walkExpression(expression.operand, context, reader);
      return;
    case 'TestGroup':
      walkExpression(expression.expression, context, reader);
  }
}
