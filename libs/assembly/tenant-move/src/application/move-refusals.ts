import type { Failure } from '#lib/kernel';

const refusal = (kind: Failure['kind'], code: string, message: string, action: string): Failure => ({
  kind,
  code: `tenant_move.${code}`,
  message,
  action,
});

export const unknownTenant = refusal(
  'not_found',
  'unknown_tenant',
  'The source has no such tenant.',
  'Check the slug, and that DATABASE_URL or COUNTERSIGN_DATA names the installation that serves the tenant.',
);

export const sameInstallation = refusal(
  'conflict',
  'same_installation',
  'Source and target are the same database.',
  'Name the database of another installation with --to.',
);

export const otherReceiver = refusal(
  'conflict',
  'other_receiver',
  'The receiver belongs to another database than --to names.',
  'Start `countersign tenant receive` with the settings of the target: its DATABASE_URL, COUNTERSIGN_DATA and COUNTERSIGN_KEYRING.',
);

export const movesHere = refusal(
  'conflict',
  'moves_here',
  'The tenant is on its way to this installation.',
  'Run the command where the tenant comes from.',
);

export const otherMove = refusal(
  'conflict',
  'other_move',
  'The target still has rows of a move that was undone on the source alone, or the tenant has lived there before.',
  'Undo it there: countersign tenant move SLUG --to URL --undo.',
);

export const halfUndone = refusal(
  'unavailable',
  'half_undone',
  'The source serves the tenant again. The target could not be reached, and may have rows of it, which nobody can use.',
  'Run the command again once the target answers: it takes them away.',
);

export const targetUnreached = refusal(
  'unavailable',
  'target_unreached',
  'The target could not be reached. The source has no move to undo.',
  'Check --to, and run the command again once the target answers.',
);

export const slugTaken = refusal(
  'conflict',
  'slug_taken',
  'The target has a tenant of this slug.',
  'Two tenants of one slug cannot be told apart. Move to another installation.',
);

export const copyTooSlow = refusal(
  'unavailable',
  'copy_too_slow',
  'The target does not follow the source in time.',
  "Look into the PostgreSQL log of the target, then run the command again: it goes on. The target's server must reach the source's.",
);

export const callsUnderWay = refusal(
  'unavailable',
  'calls_under_way',
  'Calls of the tenant are still under way.',
  'Run the command again later: it goes on. Or undo the move: no call leaves until then.',
);

export const tooLate = refusal(
  'conflict',
  'too_late',
  'The target serves the tenant already.',
  'Run the command without --undo: it finishes the move.',
);

export const nothingToUndo = refusal(
  'not_found',
  'nothing_to_undo',
  'No move of this tenant is under way.',
  'Nothing is to do.',
);

export const missingRights = (missing: readonly string[]): Failure =>
  refusal(
    'forbidden',
    'rights',
    `A login lacks rights that a move needs: ${missing.join('; ')}.`,
    'Use logins that have them; docs/operating.md lists each.',
  );

export const schemasDiffer = (names: readonly string[]): Failure =>
  refusal(
    'conflict',
    'schemas_differ',
    `Source and target differ in the migrations ${names.join(', ')}.`,
    'Bring both to the same version of Countersign, and run `countersign migrate` on each.',
  );

export const changesWait = (tables: readonly string[]): Failure =>
  refusal(
    'conflict',
    'changes_wait',
    `A change of Slack's app or workspace waits for a second person (${tables.join(', ')}).`,
    'Its secrets cannot be encrypted anew. Confirm or withdraw the change, then run the command again.',
  );

export const different = (tables: readonly string[]): Failure =>
  refusal(
    'conflict',
    'different',
    `Source and target differ in ${tables.join(', ')}.`,
    'Undo the move (--undo) and find out who wrote to the target. Then begin again.',
  );
