import { z } from 'zod';
import { PATH_CLASSES, SHELL_CLASSES } from '#lib/formats';

/**
 * The rules about single calls that a session can name. They are ADR-007's tiers of commands, an interactive session's
 * autonomy levels, an editor's approval modes, and a chat's cautious mode. policies/session holds their cells.
 */
export const SESSION_PRESETS = ['tiers', 'levels', 'modes', 'cautious'] as const;

/** The levels of the preset `levels`, the loosest first. Each asks about every call that the one before asks about. */
export const SESSION_LEVELS = ['FULL_AUTO', 'SUPERVISED', 'CAUTIOUS', 'MANUAL'] as const;

/** The modes of the preset `modes`. They have no single order: see {@link AS_STRICT_MODES}. */
export const SESSION_MODES = ['always-ask', 'ask-on-write', 'ask-on-external', 'allow-safe-readonly'] as const;
export type SessionMode = (typeof SESSION_MODES)[number];

/**
 * The modes that ask about every call that this mode asks about, and so loosen nothing. `ask-on-write` and `ask-on-external` loosen
 * each other: the first allows commands that only read, the second allows writes in the workspace.
 */
export const AS_STRICT_MODES: Readonly<Record<SessionMode, readonly SessionMode[]>> = {
  'always-ask': ['always-ask'],
  'ask-on-write': ['always-ask', 'ask-on-write'],
  'ask-on-external': ['always-ask', 'ask-on-external'],
  'allow-safe-readonly': ['always-ask', 'ask-on-write', 'ask-on-external', 'allow-safe-readonly'],
};

/** The session of a call, as it stands when the call is decided. */
export const sessionFactsSchema = z.strictObject({
  /** Null: the strictest of `tiers` and `levels`. */
  preset: z.enum(SESSION_PRESETS).nullable(),
  /** Of the preset `levels`. */
  level: z.enum(SESSION_LEVELS),
  /** Of the preset `modes`. */
  mode: z.enum(SESSION_MODES),
  /** Whether a person chose, in this session, to always allow calls of this tool and shape. */
  trusted: z.boolean(),
});
export type SessionFacts = z.infer<typeof sessionFactsSchema>;

/** The verdict on the command line that a call would execute. */
export const shellFactsSchema = z.strictObject({
  /** ADR-007: 1 executes by itself, 2 asks a person, 3 is always denied. */
  tier: z.literal([1, 2, 3]),
  class: z.enum(SHELL_CLASSES),
});
export type ShellFacts = z.infer<typeof shellFactsSchema>;

/** The command line of a single call. A plan refuses a line without a tree when it is submitted, so a plan's facts do not say it. */
export const callLineFactsSchema = z.strictObject({
  ...shellFactsSchema.shape,
  /** The reason why the call's executor could not execute the line; null if it can, or if the agent executes the call without a grant. */
  not_executable: z.string().max(2_000).nullable(),
});
export type CallLineFacts = z.infer<typeof callLineFactsSchema>;

/** The verdict on the paths that a call names (T52). */
export const pathFactsSchema = z.strictObject({
  /** 1 only reads, and no secret. No path is denied by itself. */
  tier: z.literal([1, 2]),
  /** `UNKNOWN`: it writes code, copies a secret, or may leave the workspace. */
  class: z.enum(PATH_CLASSES),
});
export type PathFacts = z.infer<typeof pathFactsSchema>;
