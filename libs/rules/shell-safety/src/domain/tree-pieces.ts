import type { HereDocBody, Word, WordPart } from 'unbash';
import { NotExecutable } from './not-executable.js';
import type { SourceContext } from './source-context.js';
import type { TreePiece } from './shell-tree.js';

/** Bash expands `~user`, `~+`, `name=~` and `name=a:~`. A tilde elsewhere is text. */
export function checkTilde(parts: readonly WordPart[], word: Word | HereDocBody, context: SourceContext): void {
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'Literal') continue;
    const atStart = index === 0 && part.text.startsWith('~');
    const own = part.text.startsWith('~/') || (part.text === '~' && parts.length === 1);
    if ((atStart && !own) || /[=:]~/.test(part.text)) {
      throw new NotExecutable('Tilde', 'Write the path itself, or quote the tilde.', context, word);
    }
  }
}

/** Text next to text is one piece. */
export function joinText(pieces: readonly TreePiece[]): TreePiece[] {
  const joined: TreePiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}
