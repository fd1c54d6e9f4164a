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

export const receiverEnded = refusal(
  'unavailable',
  'receiver_ended',
  'The receiver ended before it answered. Its own message, above, says why.',
  'Run the command of --receiver by itself: it has to wait for input. Then run the move again: it goes on.',
);

export const receiverRefused = (why: string): Failure =>
  refusal(
    'unavailable',
    'receiver_refused',
    `The receiver refused a request: ${why}`,
    'Correct that on the server of the other installation, and run the command again: it goes on.',
  );

/** The most characters of a line that an error shows. */
const SHOWN = 80;

export const receiverAnswer = (line: string): Failure =>
  refusal(
    'invalid',
    'receiver_answer',
    `The receiver wrote a line that \`countersign tenant receive\` does not write: ${JSON.stringify(line.slice(0, SHOWN))}.`,
    'Have --receiver start that command and nothing else that writes, such as a greeting of the shell there. Both installations have the same version.',
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
  'The target still has rows of the tenant. A move was undone on the source alone, or the tenant has lived there before.',
  'Undo it there: countersign tenant move SLUG --to URL --undo.',
);

export const livedThere = refusal(
  'conflict',
  'lived_there',
  'The target has the rows of the tenant from the time before it moved away.',
  'Remove them first, on the server of the target: countersign tenant forget SLUG.',
);

export const notMoved = refusal(
  'conflict',
  'not_moved',
  'No tenant of this slug has moved away from here.',
  'Only the rows of a tenant whose move is done can be removed. Check the slug, or finish the move first.',
);

export const arrivesNot = refusal(
  'forbidden',
  'arrives_not',
  'The receiver holds its keys for tenants that arrive here, and was asked about another one.',
  'Run `countersign tenant move` where the tenant comes from. If nobody moves a tenant, look at who can start the receiver.',
);

export const otherCommand = refusal(
  'conflict',
  'other_command',
  'Another command works on a move of this tenant.',
  'Wait until it has ended, then run the command again: it goes on.',
);

export const heldTooLong = refusal(
  'unavailable',
  'held_too_long',
  'The tenant was held longer than it may be. It works again, its rows are still followed, and nothing is lost.',
  'Run the command again at a quiet time, or give it more time with --max-freeze SECONDS.',
);

export const transactionsOpen = refusal(
  'unavailable',
  'transactions_open',
  'A transaction that began before the freeze does not end. The tenant works again.',
  'Find it on the source (select * from pg_stat_activity order by xact_start), and run the command again.',
);

export const pooled = refusal(
  'conflict',
  'pooled',
  'The address of an operator leads to a pooler.',
  'Name the server itself in COUNTERSIGN_MIGRATE_URL and --to: the command keeps a lock as long as its database session lasts.',
);

/** @param side "source" or "target". */
export const noDatabaseSession = (side: string, settings: string): Failure =>
  refusal(
    'conflict',
    'no_database_session',
    `The ${side} knows no database session of a move at DATABASE_URL, as behind a pooler.`,
    `Set COUNTERSIGN_POOLED=1 and COUNTERSIGN_DIRECT_URL for ${settings}: a move goes past the pooler.`,
  );

/** @param side "source" or "target". */
export const otherService = (side: string, operators: string): Failure =>
  refusal(
    'conflict',
    'other_service',
    `DATABASE_URL of the ${side} names another database than ${operators}.`,
    'Correct one of them: the operator and the service of an installation use one database.',
  );

export const monthsAway = (side: string, months: readonly string[]): Failure =>
  refusal(
    'conflict',
    'months_away',
    `The tenant has records of months that the ${side} has detached: ${months.join(', ')}.`,
    `Attach them on the ${side} (countersign months attach 2026-01; those of decision as docs/operating.md says), then run the command again.`,
  );

export const unknownCell = (cell: string): Failure =>
  refusal(
    'not_found',
    'unknown_cell',
    `The map of the routers has no cell ${cell}.`,
    'Add it: countersign-router cell put NAME URL. `countersign-router map` shows those that it has.',
  );

export const slugInMap = refusal(
  'conflict',
  'slug_in_map',
  'The map of the routers has another tenant of this slug, or with its routing hint.',
  'Correct the map first: `countersign-router map` shows its tenants.',
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
  'The tenant works on, and its rows are followed. Run the command again later: it goes on.',
);

export const targetDecides = refusal(
  'unavailable',
  'target_decides',
  'The move is at its switch, and the target could not be reached, which says whether it serves the tenant.',
  'Run the command again once the target answers.',
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
  'Look at the slug; a tenant without a move is as it was.',
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

export const changeRequestsOpen = (tables: readonly string[]): Failure =>
  refusal(
    'conflict',
    'change_requests_open',
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
