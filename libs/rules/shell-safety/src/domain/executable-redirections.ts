import type { HereDoc, Redirect, Redirection, Word } from 'unbash';
import type { ReadScript } from './read-script.js';
import { executableContent, executableWords } from './executable-words.js';
import { NotExecutable } from './not-executable.js';
import type { SourceContext } from './source-context.js';
import { endOf, startOf } from './source-context.js';
import { unparsable } from './refusal.js';
import type { TreePiece, TreeRedirection } from './shell-tree.js';

const FILES = '0 to 9 are the descriptors of a line. Write to files inside the workspace, or to /dev/null.';

/** The redirections of a command, in order. */
export function executableRedirections(
  redirections: readonly Redirection[],
  context: SourceContext,
  readScript: ReadScript,
): TreeRedirection[] {
  return redirections.flatMap((redirection) => readRedirection(redirection, context, readScript));
}

function readRedirection(node: Redirection, context: SourceContext, readScript: ReadScript): TreeRedirection[] {
  const named = node.descriptor;
  if (named?.type === 'FileDescriptorVariable') throw new NotExecutable(named.type, FILES, context, node);
  const descriptor = named?.value;
  if (descriptor !== undefined && descriptor > 9) throw new NotExecutable('Redirect', FILES, context, node);
  if (node.type === 'HereDoc') {
    return [{ type: 'content', descriptor: descriptor ?? 0, content: readHereDocument(node, context, readScript) }];
  }
  const { target } = node;
  if (target === undefined) {
    throw unparsable('The redirection has no target.', startOf(context, node.pos), endOf(context, node.end));
  }
  if (node.type === 'HereString') {
    const content = executableContent(target, context, readScript);
    return [{ type: 'content', descriptor: descriptor ?? 0, content: endLine(content) }];
  }
  return readRedirect(node, target, descriptor, context, readScript);
}

function readRedirect(
  node: Redirect,
  target: Word,
  descriptor: number | undefined,
  context: SourceContext,
  readScript: ReadScript,
): TreeRedirection[] {
  const file = (access: 'read' | 'write' | 'append', at: number): TreeRedirection => {
    const [word, another] = executableWords(target, context, readScript);
    if (word === undefined || another !== undefined || word.some(({ type }) => type === 'glob')) {
      throw new NotExecutable('Redirect', 'Name one file, without a pattern.', context, node);
    }
    return { type: 'file', descriptor: at, access, target: word };
  };
  switch (node.operator) {
    case '<':
      return [file('read', descriptor ?? 0)];
    case '>':
    case '>|':
      return [file('write', descriptor ?? 1)];
    case '>>':
      return [file('append', descriptor ?? 1)];
    case '&>':
      return [file('write', 1), { type: 'duplicate', descriptor: 2, source: 1 }];
    case '&>>':
      return [file('append', 1), { type: 'duplicate', descriptor: 2, source: 1 }];
    case '<&':
    case '>&': {
      // `2>&-` and `2>&1-` close a descriptor: a program that Node starts has an open one always.
      if (!/^[0-9]$/.test(target.text)) throw new NotExecutable('Redirect', FILES, context, node);
      const standard = node.operator === '<&' ? 0 : 1;
      return [{ type: 'duplicate', descriptor: descriptor ?? standard, source: Number(target.text) }];
    }
    case '<>':
      throw new NotExecutable('Redirect', 'Open the file for reading or for writing.', context, node);
  }
}

/** The text of a here-document. `<<-` takes the tabs off the beginning of each line. */
function readHereDocument(node: HereDoc, context: SourceContext, readScript: ReadScript): readonly TreePiece[] {
  const { body, closing, delimiter, operator } = node;
  if (closing === undefined || delimiter === undefined) {
    throw unparsable('The here-document has no end.', startOf(context, node.pos), endOf(context, node.end));
  }
  const tabs = operator === '<<-';
  if (delimiter.quoted || body.parts === undefined) {
    const raw = delimiter.quoted ? body.text : unescape(body.text);
    const text = tabs ? raw.replaceAll(/^\t+/gm, '') : raw;
    return text === '' ? [] : [{ type: 'text', text }];
  }
  if (tabs) {
    throw new NotExecutable('HereDoc', 'Write << instead of <<-, or quote the word behind it.', context, node);
  }
  return executableContent(body, context, readScript);
}

/** The backslashes of an unquoted here-document. */
const unescape = (text: string): string =>
  text.replaceAll(/\\([\\$`\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped));

function endLine(content: readonly TreePiece[]): readonly TreePiece[] {
  const last = content.at(-1);
  if (last?.type !== 'text') return [...content, { type: 'text', text: '\n' }];
  return [...content.slice(0, -1), { type: 'text', text: `${last.text}\n` }];
}
