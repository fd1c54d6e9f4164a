import { z } from 'zod';
import { digestOf, type Digest } from '#lib/kernel';

/** The variables that a line may use, besides `?`, the status of the pipeline before. Their values come from the runner alone. */
export const TREE_VARIABLES = [
  'HOME',
  'PWD',
  'USER',
  'LOGNAME',
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  '?',
] as const;
export type TreeVariable = (typeof TREE_VARIABLES)[number];

/** The variables that a line may set for one program. They change how output looks, and no program that runs. */
export const TREE_ASSIGNMENT =
  /^(?:LC_(?:ALL|COLLATE|CTYPE|MESSAGES|NUMERIC|TIME)|LANG|LANGUAGE|TZ|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_COLOR|COLUMNS|LINES|CI)$/;

/** A set of characters in a pattern: single ones, ranges of ASCII, and the named classes of POSIX. */
export const BRACKET_PATTERN =
  /^\[[!^]?\]?(?:\[:(?:alnum|alpha|blank|digit|lower|punct|space|upper|xdigit):\]|[^[\]/\\])*\]$/u;

/** A piece of a word. Pieces stand next to each other without a gap. */
export type TreePiece =
  /** Literal text, its quotes removed. Never a pattern. Empty only if the word is nothing but empty quotes and expansions. */
  | { readonly type: 'text'; readonly text: string }
  /** `*`, `?` or a set of characters as the line spells it (`[!a-c]`). */
  | { readonly type: 'glob'; readonly pattern: string }
  /** `split`: blanks in the value separate words, and characters of patterns in it count, as outside quotes. */
  | { readonly type: 'variable'; readonly name: TreeVariable; readonly split: boolean }
  /** The output of commands, without its last newlines. */
  | { readonly type: 'substitution'; readonly list: TreeList; readonly split: boolean };

export type TreeWord = readonly TreePiece[];

/** A redirection: the file, descriptor or text at a descriptor of a command. They take effect in order. */
export type TreeRedirection =
  | {
      readonly type: 'file';
      readonly descriptor: number;
      readonly access: 'read' | 'write' | 'append';
      readonly target: TreeWord;
    }
  /** The descriptor becomes another name of `source`. */
  | { readonly type: 'duplicate'; readonly descriptor: number; readonly source: number }
  /** A here-document or here-string: the command reads this text. Neither split nor a pattern. */
  | { readonly type: 'content'; readonly descriptor: number; readonly content: TreeWord };

export interface TreeCommand {
  readonly assignments: readonly { readonly name: string; readonly value: string }[];
  /** The program as the line names it, always literal. Null if the command only opens files. */
  readonly program: string | null;
  readonly arguments: readonly TreeWord[];
  readonly redirections: readonly TreeRedirection[];
}

export interface TreePipeline {
  /** The condition on the status before it: always, after success, after failure. */
  readonly when: 'always' | 'success' | 'failure';
  /** True if its status is turned round: 0 becomes 1, any other 0. */
  readonly negated: boolean;
  readonly commands: readonly TreeCommand[];
}

/** Pipelines in order. One that is skipped leaves the status as it is. */
export type TreeList = readonly TreePipeline[];

/** Exactly the things that a runner executes for a command line, as plain JSON. Without positions: the same tree has one digest. */
export interface ShellTree {
  readonly version: 1;
  readonly list: TreeList;
}

const text = z.string().refine((value) => value.isWellFormed() && !value.includes('\0'), 'No text of a command line.');
const descriptor = z.int().min(0).max(9);

const pieceSchema: z.ZodType<TreePiece> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text }),
  z.strictObject({
    type: z.literal('glob'),
    pattern: z.union([z.enum(['*', '?']), z.string().regex(BRACKET_PATTERN)]),
  }),
  z.strictObject({ type: z.literal('variable'), name: z.enum(TREE_VARIABLES), split: z.boolean() }),
  z.strictObject({
    type: z.literal('substitution'),
    list: z.lazy(() => listSchema),
    split: z.boolean(),
  }),
]);
const wordSchema = z.array(pieceSchema).min(1);
const commandSchema: z.ZodType<TreeCommand> = z.strictObject({
  assignments: z.array(z.strictObject({ name: z.string().regex(TREE_ASSIGNMENT), value: text })),
  program: text.min(1).nullable(),
  arguments: z.array(wordSchema),
  redirections: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('file'),
        descriptor,
        access: z.enum(['read', 'write', 'append']),
        target: wordSchema,
      }),
      z.strictObject({ type: z.literal('duplicate'), descriptor, source: descriptor }),
      z.strictObject({ type: z.literal('content'), descriptor, content: z.array(pieceSchema) }),
    ]),
  ),
});
const listSchema: z.ZodType<TreeList> = z
  .array(
    z.strictObject({
      when: z.enum(['always', 'success', 'failure']),
      negated: z.boolean(),
      commands: z.array(commandSchema).min(1),
    }),
  )
  .min(1);

/** The stored form of a {@link ShellTree}. */
export const shellTreeSchema: z.ZodType<ShellTree> = z.strictObject({ version: z.literal(1), list: listSchema });

/** The digest that an approval and a grant bind. */
export const treeDigest = (tree: ShellTree): Digest => digestOf('shell-tree', tree as never);
