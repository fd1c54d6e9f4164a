import { ownMember } from '#lib/canonical';
import { endOf, startOf, type SourceContext } from './source-context.js';
import { Refusal } from './refusal.js';
import type { Node } from './reader.js';

/** Ends the making of a tree: a construct that a runner does not execute. `node` is the construct's name. */
export class NotExecutable extends Refusal {
  constructor(
    readonly node: string,
    readonly advice: string,
    context: SourceContext,
    at: Node,
  ) {
    const [start, end] = [startOf(context, at.pos), endOf(context, at.end)];
    super('shell.not_executable', `A runner does not execute ${ownMember(DESCRIPTIONS, node) ?? node}.`, start, end);
  }
}

/** Names of constructs in words of a person. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  If: 'if',
  For: 'a for loop',
  ArithmeticFor: 'a for loop over numbers',
  While: 'a while or until loop',
  Select: 'a select loop',
  Case: 'case',
  Function: 'the definition of a function',
  Coproc: 'a coprocess',
  Subshell: 'a group in parentheses',
  BraceGroup: 'a group in braces',
  TestCommand: '[[ … ]]',
  ArithmeticCommand: '(( … ))',
  Redirected: 'a compound command',
  Background: 'a command in the background',
  Time: 'time',
  Assignment: 'an assignment that is not on its list',
  ArrayValue: 'an array',
  ArithmeticExpansion: 'arithmetic',
  ProcessSubstitution: 'a process substitution',
  ExtendedGlob: 'an extended pattern',
  BraceExpansion: 'this form of braces',
  SimpleExpansion: 'this variable',
  ParameterExpansion: 'this expansion of a variable',
  CommandExpansion: 'a substitution without a command',
  LocaleString: 'a translated string',
  Tilde: 'the home folder of another user, or a tilde inside a word',
  Glob: 'this pattern',
  Redirect: 'this redirection',
  HereDoc: 'this here-document',
  FileDescriptorVariable: 'a descriptor named by a variable',
  Program: 'a program whose name is not literal',
  Builtin: 'a builtin of a shell that has no program',
};
