import type { Word, WordPart } from 'unbash';
import type { Argument } from './inspection.js';
import type { Shell } from './verdict.js';

/*
 * The parser knows the grammar of bash. Other shells read these words otherwise (T50). Ordinary globs are none of them: zsh and
 * sh expand `*.ts` as bash does.
 *
 * zsh: a group in parentheses behind a glob holds qualifiers, which execute code (`*(e:'cmd':)`); a word that begins with `=` is the
 * path of a program; `$~x`, `$=x`, `$^x`, `$+x` and `$x[…]` expand; `>!` forces a redirection; `-`, `noglob`, `nocorrect`, `repeat`
 * and `foreach` put a command behind them; `coproc NAME { … }` executes NAME.
 * sh (dash): `$'…'` ends at the first `'`; `$[ … ]`, `coproc`, `function` and `{fd}>` are ordinary words; `[[ … ]]` and `((…))` are
 * commands (those are read again as such).
 */

export const readsAsZsh = (shell: Shell): boolean => shell === 'zsh' || shell === 'unknown';
export const readsAsSh = (shell: Shell): boolean => shell === 'sh' || shell === 'unknown';

/** Words that zsh takes for the beginning of a command, or of a loop, where bash looks for a program. */
const ZSH_COMMAND_WORDS: ReadonlySet<string> = new Set([
  '-',
  'noglob',
  'nocorrect',
  'repeat',
  'foreach',
  'end',
  'always',
]);

/** The reason why another shell reads the word otherwise, or null. */
export function readOtherwise(word: Word, source: string, shell: Shell): string | null {
  if (shell === 'bash') return null;
  const { text, parts } = word;
  if (readsAsZsh(shell)) {
    // `[ a = b ]` and `[ a == b ]`: zsh takes the first as it is, and refuses the second.
    if (text.charCodeAt(0) === 61 && text !== '=' && text !== '==')
      return 'zsh takes a word that begins with = for the path of a program';
    if (parts === undefined && text.includes('$') && /\$[~=^+]/.test(text)) return 'zsh expands $~, $=, $^ and $+';
  }
  return parts === undefined ? null : partsReadOtherwise(parts, source, shell);
}

function partsReadOtherwise(parts: readonly WordPart[], source: string, shell: Shell): string | null {
  for (const part of parts) {
    const reason = partReadOtherwise(part, source, shell);
    if (reason !== null) return reason;
  }
  return null;
}

function partReadOtherwise(part: WordPart, source: string, shell: Shell): string | null {
  switch (part.type) {
    case 'ExtendedGlob':
      return 'zsh takes the parentheses behind a glob for qualifiers, which can execute code';
    case 'AnsiCQuoted':
      return readsAsSh(shell) && part.text.includes("\\'") ? "sh ends $'…' at the first quote" : null;
    case 'ArithmeticExpansion':
      return readsAsSh(shell) && part.text.startsWith('$[') ? 'sh does not know $[ … ]' : null;
    case 'SimpleExpansion':
      return readsAsZsh(shell) && source[part.end] === '['
        ? 'zsh takes the brackets behind a variable for a subscript'
        : null;
    case 'Literal':
      return readsAsZsh(shell) && /\$[~=^+]/.test(part.text) ? 'zsh expands $~, $=, $^ and $+' : null;
    case 'DoubleQuoted':
    case 'LocaleString':
      return partsReadOtherwise(part.parts, source, shell);
    case 'Glob':
    case 'BraceExpansion':
      return part.parts === undefined ? null : partsReadOtherwise(part.parts, source, shell);
    case 'SingleQuoted':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return null;
  }
}

/** The tables by which zsh finds commands. */
const ZSH_COMMANDS = /^(?:dis_)?(?:commands|functions|[gs]?aliases)$/;

/** The reason why zsh would execute other commands after an assignment to one or all elements. Null if it would not. */
export function elementReadOtherwise(name: string, shell: Shell): string | null {
  if (!readsAsZsh(shell) || !ZSH_COMMANDS.test(name)) return null;
  return `zsh finds commands by the elements of ${name}`;
}

/** The reason why another shell would execute another command than the one that bash executes, or null. */
export function commandReadOtherwise(words: readonly Argument[], shell: Shell): string | null {
  if (shell === 'bash') return null;
  const name = words[0]?.value ?? '';
  if (readsAsZsh(shell) && ZSH_COMMAND_WORDS.has(name)) return `zsh executes the command behind ${name}`;
  if (name === 'hash' && readsAsZsh(shell) && words.slice(1).some(({ value }) => value === null || value.includes('=')))
    return 'zsh gives the name of a program to another path';
  if (name === 'function' && readsAsSh(shell)) return 'sh takes function for a program';
  if (name === 'alias' && words.length > 1) return 'sh and zsh replace the words of later lines by an alias';
  return null;
}

/** True if an interactive shell replaces a part of the word by an earlier line: `!!`, `!x`, also in double quotes. */
export function expandsHistory(word: Word): boolean {
  if (!word.text.includes('!')) return false;
  if (word.parts === undefined) return HISTORY.test(word.text);
  return word.parts.some((part) => {
    if (part.type === 'Literal') return HISTORY.test(part.text);
    return part.type === 'DoubleQuoted' && HISTORY.test(part.text.slice(1, -1));
  });
}

const HISTORY = /(?:^|[^\\$[{])![^\s=("!]|!!|^\^/;
