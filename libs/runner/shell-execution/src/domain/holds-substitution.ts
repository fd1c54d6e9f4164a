import type { ShellTree, TreeCommand, TreePiece, TreeRedirection, TreeWord } from '#lib/shell-safety';

/** True if a command substitution stands anywhere in a tree. */
export const holdsSubstitution = ({ list }: ShellTree): boolean =>
  list.some(({ commands }) => commands.some((command) => wordsOf(command).some((word) => word.some(isSubstitution))));

/** The words of a command that expansions can stand in. Its program and its assignments are literal. */
const wordsOf = (command: TreeCommand): readonly TreeWord[] => [
  ...command.arguments,
  ...command.redirections.map(wordOf),
];

function wordOf(redirection: TreeRedirection): TreeWord {
  switch (redirection.type) {
    case 'file':
      return redirection.target;
    case 'content':
      return redirection.content;
    case 'duplicate':
      return [];
  }
}

const isSubstitution = ({ type }: TreePiece): boolean => type === 'substitution';
