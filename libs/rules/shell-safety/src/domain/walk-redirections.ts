import type { Redirection, WordPart } from 'unbash';
import { assignmentEffect } from './judge-assignment.js';
import { effectAt } from './effect.js';
import { redirectionEffect } from './judge-redirection.js';
import { readsAsSh, readsAsZsh } from './other-shells.js';
import { endOf, startOf, type SourceContext } from './source-context.js';
import { unparsable } from './refusal.js';
import type { Reader } from './reader.js';
import { walkParts } from './walk-parts.js';

/** Walks redirections, here-documents and here-strings: the files they open, and the commands that the shell executes to expand them. */
export function walkRedirections(redirections: readonly Redirection[], context: SourceContext, reader: Reader): void {
  for (const redirection of redirections) walkRedirection(redirection, context, reader);
}

function walkRedirection(redirection: Redirection, context: SourceContext, reader: Reader): void {
  const { judgement } = reader;
  const at = { start: startOf(context, redirection.pos), end: endOf(context, redirection.end) };
  if (redirection.descriptor?.type === 'FileDescriptorVariable') {
    const { name } = redirection.descriptor;
    const effect = assignmentEffect(name, null, false, at);
    if (effect !== null) judgement.construct(effect);
    if (readsAsSh(context.shell)) {
      judgement.construct(
        effectAt(at, 'UNKNOWN', 3, 'shell.other_shell', `sh takes {${name}} for a word of the command.`),
      );
    }
  }
  if (redirection.type === 'HereDoc') {
    if (redirection.closing === undefined) {
      throw unparsable('The here-document has no end.', at.start, at.end);
    }
    if (redirection.body.parts !== undefined) walkBody(redirection.body.parts, context, reader);
    return;
  }
  if (redirection.target === undefined) throw unparsable('The redirection has no target.', at.start, at.end);
  const target = reader.word(redirection.target, context);
  if (redirection.type === 'HereString') return;
  if (redirection.operator === '<') judgement.read(target, false);
  const effect = redirectionEffect(redirection.operator, target);
  if (effect !== null) judgement.construct({ ...effect, start: at.start, end: at.end });
  if (readsAsZsh(context.shell) && redirection.operator.includes('>') && target.text.startsWith('!')) {
    judgement.construct(
      effectAt(at, 'UNKNOWN', 3, 'shell.other_shell', 'zsh takes >! for a forced redirection to the next word.'),
    );
  }
}

/**
 * The body of a here-document is read as if it stood in double quotes, also inside `${x:-…}`. The parser takes single
 * quotes there for quotes.
 */
function walkBody(parts: readonly WordPart[], context: SourceContext, reader: Reader): void {
  walkParts(parts, context, reader);
  for (const { type, text, pos } of parts) {
    if (type !== 'ParameterExpansion' || !/['<>]/.test(text)) continue;
    const before = ': "';
    reader.again(`${before}${text}"`, pos - before.length, context);
  }
}
