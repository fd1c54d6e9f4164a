import type { TenantId } from '#lib/kernel';
import type { EncryptedValue, StoredRow } from '../domain/encrypted-values.js';
import type { MoveEvent, MoveState } from '../domain/move-state.js';

export interface Move {
  readonly tenantId: TenantId;
  readonly id: string;
  readonly state: MoveState;
  /** The epoch of the audit log that ends on the source; null before the comparison. */
  readonly closedEpoch: number | null;
}

/** The address at which a target finds a source. Its login is made for the move. */
export interface SourceAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly sslMode: string | null;
}

/** A month of a table that is kept by months, as `audit_entry 2026-01`. */
export type TableMonth = string;

/** Changes that come with the state. */
export interface Advance {
  readonly closedEpoch?: number;
  /** After so many milliseconds a state that holds the tenant ends by itself; a comparison adds none. */
  readonly heldMs?: number;
}

/** The rows of a tenant in one table: their number, and a keyed digest that their order does not change. */
export interface TableDigest {
  readonly rows: string;
  readonly digest: string;
}

/** A wrapped value as a table has it. */
export interface Wrapped {
  readonly keyId: string;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** A row with an encrypted value. */
export interface EncryptedRow {
  readonly row: StoredRow;
  readonly wrapped: Wrapped;
}

/** One installation's database, by an operator's login. Every method can be repeated. */
export interface Cell {
  /** Names server and database: the same for every login to it. */
  identity(): Promise<string>;
  /** The rights that this side of a move needs and that the login lacks. */
  missingRights(): Promise<readonly string[]>;
  /** Keeps every other command from moves of this slug, as long as this one is connected. @returns whether it could. */
  lock(slug: string): Promise<boolean>;
  /** Months that are taken out of their tables. */
  detachedMonths(): Promise<readonly TableMonth[]>;
  /** Name and checksum of every applied migration. */
  schema(): Promise<ReadonlyMap<string, string>>;
  tenantBySlug(slug: string): Promise<TenantId | null>;
  /** The move of a tenant that is not over. A move that ended as `done` stays its tenant's. */
  liveMove(slug: string): Promise<Move | null>;
  insertMove(move: Pick<Move, 'tenantId' | 'id'> & { readonly slug: string }, state: MoveState): Promise<void>;
  /** @throws {FailureError} `tenant_move.held_too_long`, `tenant_move.other_command`: it is not in the state that the event leaves. */
  advance(move: Move, event: MoveEvent, how?: Advance): Promise<Move>;
  /**
   * Digests the rows as they are now. Keeps the digest of each version of a row for {@link digests} with the same salt.
   * So rows that stay are not read again. A version of a row never changes; an update makes another one. Any work of
   * the tenant goes on.
   */
  digestAhead(tenantId: TenantId, salt: Uint8Array): Promise<void>;
  digests(tenantId: TenantId, salt: Uint8Array): Promise<ReadonlyMap<string, TableDigest>>;
  encrypted(tenantId: TenantId, value: EncryptedValue): Promise<readonly EncryptedRow[]>;
  /** Names of the keys that sign the tenant's log. */
  signingKeys(tenantId: TenantId): Promise<readonly string[]>;
  /** The newest tree; null before the first entry. */
  treeHead(
    tenantId: TenantId,
  ): Promise<{ readonly epoch: number; readonly size: string; readonly root: string } | null>;
  close(): Promise<void>;
}

/** The installation that the tenant leaves. */
export interface SourceCell extends Cell {
  address(move: Move): Promise<SourceAddress>;
  /** Publishes the tenant's rows to a login that is made for it, with this password. */
  publish(move: Move, password: string): Promise<void>;
  /** Takes publication, login and rights back. */
  unpublish(move: Move): Promise<void>;
  /** Calls that are under way: dispatched, and still within their lease. */
  callsUnderWay(tenantId: TenantId): Promise<number>;
  /** Waits until every transaction that had begun by now is over. @returns whether they ended in time. */
  earlierTransactionsOver(withinMs: number): Promise<boolean>;
  /** Months of which the tenant has records, and those of them that are detached or not there. */
  months(tenantId: TenantId): Promise<{ readonly all: readonly TableMonth[]; readonly away: readonly TableMonth[] }>;
  /** Open change requests with secrets, which cannot be encrypted anew. */
  requestsWithSecrets(tenantId: TenantId): Promise<number>;
  /** Whether the target has everything that was committed here by now. */
  followedUpTo(move: Move, position: string): Promise<boolean>;
  position(): Promise<string>;
  /** Removes every row of a tenant that moved away, in transactions of bounded size. @returns how many there were. */
  purge(tenantId: TenantId): Promise<number>;
  /** The bundles that the tenant's decisions were taken with. */
  bundles(tenantId: TenantId): Promise<readonly StoredRow[]>;
}

/** The installation that takes it. */
export interface TargetCell extends Cell {
  addBundles(bundles: readonly StoredRow[]): Promise<void>;
  /** Prepares to follow, without a connection. @returns the password that it made: only the server and this process know it. */
  prepare(move: Move, source: SourceAddress): Promise<string>;
  follow(move: Move): Promise<void>;
  /** Whether it follows, and every table's first copy is there. */
  following(move: Move): Promise<'no' | 'copying' | 'yes'>;
  unfollow(move: Move): Promise<void>;
  rewrap(tenantId: TenantId, value: EncryptedValue, row: StoredRow, wrapped: Wrapped): Promise<void>;
  /** Later entries of the audit log get higher numbers than those that came. */
  raiseNumbers(tenantId: TenantId): Promise<void>;
  /** Deletes every row of a tenant that has not arrived. */
  clear(tenantId: TenantId): Promise<void>;
}

/** A value on its way: its purpose, and its plaintext or its wrapping. */
export interface PlainValue {
  readonly purpose: string;
  readonly plain: Uint8Array;
}
export interface WrappedValue {
  readonly purpose: string;
  readonly wrapped: Wrapped;
}

/** The keyring of the source; it never leaves this process. */
export interface SourceKeys {
  open(purpose: string, wrapped: Wrapped): Promise<Uint8Array>;
  signingKey(tenantId: TenantId, name: string): Promise<Uint8Array>;
  /** Removes the private halves of the keys that signed the tenant's log. */
  forgetSigningKeys(tenantId: TenantId): Promise<void>;
  keysToHandOver(
    tenantId: TenantId,
  ): Promise<readonly { readonly purpose: string; readonly id: string; readonly key: Uint8Array }[]>;
}

/** The process that holds the target's keyring; nothing unsealed travels to it. */
export interface Receiver {
  /** Names the target's database, as {@link Cell.identity} does. */
  identity(): Promise<string>;
  /** As {@link SourceLog.reachedDatabase}, of the target. */
  reachedDatabase(moveId: string): Promise<string | null>;
  /** Encrypts under the target's keyring. */
  wrap(values: readonly PlainValue[]): Promise<readonly Wrapped[]>;
  /** Opens under the target's keyring; digests under a key that only the two processes know. */
  digests(values: readonly WrappedValue[]): Promise<readonly string[]>;
  /** The digest of a plaintext, made here. */
  digest(value: PlainValue): string;
  takeKeys(keys: Awaited<ReturnType<SourceKeys['keysToHandOver']>>): Promise<void>;
  takeSigningKey(tenantId: TenantId, name: string, key: Uint8Array): Promise<void>;
  /** Begins the next epoch of the tenant's log, unless one after `closed` has begun. @returns its number. */
  startEpoch(command: {
    readonly tenantId: TenantId;
    readonly moveId: string;
    readonly closed: number;
    readonly reason: string;
  }): Promise<number>;
  close(): Promise<void>;
}

/** The audit log on the source, in database sessions that a freeze does not hold. */
export interface SourceLog {
  /** The database that they reach, as {@link Cell.identity} names it; null if it does not know the move. */
  reachedDatabase(moveId: string): Promise<string | null>;
  /** Records that the tenant is about to leave, gives every entry its leaf, and signs. */
  end(tenantId: TenantId, moveId: string): Promise<void>;
  /** Records that the tenant stays. */
  stay(tenantId: TenantId, moveId: string): Promise<void>;
}

/** Both sides of a move, with their keyrings. */
export interface MoveSides {
  readonly source: SourceCell;
  readonly target: TargetCell;
  readonly keys: SourceKeys;
  readonly receiver: Receiver;
}

export interface MapRows {
  readonly cells: readonly string[];
  readonly tenants: readonly { readonly id: TenantId; readonly slug: string }[];
}

/** The map by which a router finds a tenant's cell. */
export interface CellMap {
  /** The names of its cells, and its tenants. */
  read(): Promise<MapRows>;
  switch(tenantId: TenantId, cell: string): Promise<void>;
}

export interface MoveResult {
  readonly tenantId: TenantId;
  readonly state: 'done' | 'undone';
  /** The epoch of the audit log that the target began; null if the move was undone. */
  readonly epoch: number | null;
}

export interface MoveClock {
  /** In milliseconds; never goes back. */
  now(): number;
  sleep(ms: number): Promise<void>;
}
