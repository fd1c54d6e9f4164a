import { fail, newId, type TenantId } from '#lib/kernel';
import { ENCRYPTED_VALUES, type EncryptedValue, type StoredRow } from '../domain/encrypted-values.js';
import { isHeld, stateAfter, type MoveEvent, type MoveState } from '../domain/move-state.js';
import * as refusals from './move-refusals.js';
import { createTenantMove } from '../create-tenant-move.js';
import type { MoveTenant } from './move-tenant.js';
import type {
  Advance,
  EncryptedRow,
  MapRows,
  Move,
  Receiver,
  SourceCell,
  SourceKeys,
  SourceLog,
  TableDigest,
  TargetCell,
  Wrapped,
} from './move.ports.js';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const text = (plain: Uint8Array): string => Buffer.from(plain).toString();
const [SECRET] = ENCRYPTED_VALUES;
if (SECRET === undefined) throw new Error('No value is encrypted.');

const OVER: readonly MoveState[] = ['arrived', 'undone', 'forgotten'];

/** The rows of the tenant in one installation, and of its moves. */
class FakeCell {
  readonly moves: { tenantId: TenantId; id: string; slug: string; state: MoveState; closedEpoch: number | null }[] = [];
  tenant: TenantId | null = null;
  rows: string[] = [];
  secrets: { id: string; name: string; version: number; wrapped: Wrapped }[] = [];
  migrations = new Map([['0001_database', 'a']]);
  missing: string[] = [];
  head: { epoch: number; size: string; root: string } | null = { epoch: 1, size: '3', root: 'r' };

  constructor(readonly name: string) {}

  /** Whether another command works on its moves. */
  locked = false;
  detached: string[] = [];
  /** The state that has lasted too long. */
  over: MoveState | null = null;

  readonly identity = () => Promise.resolve(this.name);
  readonly lock = () => Promise.resolve(!this.locked);
  readonly detachedMonths = () => Promise.resolve(this.detached);
  readonly missingRights = () => Promise.resolve(this.missing);
  readonly schema = () => Promise.resolve(this.migrations);
  readonly tenantBySlug = (slug: string) => Promise.resolve(slug === 'acme' ? this.tenant : null);
  readonly close = () => Promise.resolve();
  readonly signingKeys = () => Promise.resolve(['key-1']);
  readonly treeHead = () => Promise.resolve(this.head);

  readonly liveMove = (slug: string): Promise<Move | null> => {
    const found = this.moves.find((move) => move.slug === slug && !OVER.includes(move.state));
    return Promise.resolve(found === undefined ? null : { ...found });
  };
  readonly insertMove = (move: { tenantId: TenantId; id: string; slug: string }, state: MoveState) => {
    this.moves.push({ ...move, state, closedEpoch: null });
    return Promise.resolve();
  };
  readonly advance = async (move: Move, event: MoveEvent, { closedEpoch, heldMs }: Advance = {}): Promise<Move> => {
    const kept = this.moves.find(({ id }) => id === move.id);
    const next = stateAfter(move.state, event);
    if (kept === undefined || next === null) throw new Error('no such move');
    if (isHeld(next) && next !== 'compared' && heldMs === undefined) throw new Error('held without end');
    if (kept.state === this.over) kept.state = 'copying';
    if (kept.state !== move.state)
      return fail(isHeld(move.state) && kept.state === 'copying' ? refusals.heldTooLong : refusals.otherCommand);
    kept.state = next;
    kept.closedEpoch = closedEpoch ?? kept.closedEpoch;
    return Promise.resolve({ ...kept });
  };
  /** The states of the moves, and the salt, when the rows were digested ahead. */
  ahead: { readonly states: readonly MoveState[]; readonly salt: Uint8Array } | null = null;
  comparedBy: Uint8Array | null = null;
  readonly digestAhead = (_tenantId: TenantId, salt: Uint8Array): Promise<void> => {
    this.ahead = { states: this.moves.map(({ state }) => state), salt };
    return Promise.resolve();
  };
  readonly digests = (_tenantId: TenantId, salt: Uint8Array): Promise<ReadonlyMap<string, TableDigest>> => {
    this.comparedBy = salt;
    return Promise.resolve(
      new Map([['task', { rows: String(this.rows.length), digest: [...this.rows].sort().join() }]]),
    );
  };
  readonly encrypted = (_tenantId: TenantId, value: EncryptedValue): Promise<readonly EncryptedRow[]> =>
    Promise.resolve(
      value === SECRET ? this.secrets.map(({ wrapped, ...row }) => ({ row, wrapped: { ...wrapped } })) : [],
    );
}

class FakeSource extends FakeCell implements SourceCell {
  published = false;
  /** Answers of the next looks; none is under way afterwards. */
  under: number[] = [];
  waiting = 0;
  follower: FakeTarget | null = null;

  away: string[] = [];
  /** Whether transactions of before the freeze end. */
  quiet = true;

  readonly address = () => Promise.resolve({ host: 'h', port: 1, database: 'd', user: 'u', sslMode: null });
  readonly months = () => Promise.resolve({ all: ['audit_entry 2026-01', 'audit_entry 2026-02'], away: this.away });
  readonly publish = (_move: Move, password: string) => {
    this.published = password === 'made by the target';
    return Promise.resolve();
  };
  readonly unpublish = () => {
    this.published = false;
    return Promise.resolve();
  };
  readonly purge = () => {
    const rows = this.rows.length;
    this.tenant = null;
    this.rows = [];
    this.secrets = [];
    return Promise.resolve(rows);
  };
  readonly callsUnderWay = () => Promise.resolve(this.under.shift() ?? 0);
  readonly earlierTransactionsOver = () => Promise.resolve(this.quiet);
  readonly requestsWithSecrets = () => Promise.resolve(this.waiting);
  readonly position = () => Promise.resolve('1');
  readonly followedUpTo = () => {
    this.follower?.catchUp(this);
    return Promise.resolve(true);
  };
  readonly bundles = () => Promise.resolve([]);
}

class FakeTarget extends FakeCell implements TargetCell {
  follows = false;
  numbersRaised = false;

  catchUp(source: FakeSource): void {
    if (!this.follows) return;
    this.tenant = source.tenant;
    this.rows = [...source.rows];
    this.secrets = source.secrets.map((secret) => ({ ...secret }));
    this.head = source.head;
  }

  readonly addBundles = () => Promise.resolve();
  readonly prepare = () => Promise.resolve('made by the target');
  readonly follow = () => {
    this.follows = true;
    return Promise.resolve();
  };
  readonly following = () => Promise.resolve(this.follows ? ('yes' as const) : ('no' as const));
  unfollow = () => {
    this.follows = false;
    return Promise.resolve();
  };
  rewrap = (_tenantId: TenantId, _value: EncryptedValue, row: StoredRow, wrapped: Wrapped) => {
    const kept = this.secrets.find(({ id }) => id === row.id);
    if (kept !== undefined) kept.wrapped = wrapped;
    return Promise.resolve();
  };
  readonly raiseNumbers = () => {
    this.numbersRaised = true;
    return Promise.resolve();
  };
  readonly clear = () => {
    this.tenant = null;
    this.rows = [];
    this.secrets = [];
    return Promise.resolve();
  };
}

/** Wraps by putting the key's name before the plaintext. */
const wrappedBy = (keyId: string, purpose: string, plain: Uint8Array): Wrapped => ({
  keyId,
  nonce: bytes(purpose),
  ciphertext: bytes(`${keyId}:${text(plain)}`),
});

function unwrappedBy(keyId: string, purpose: string, wrapped: Wrapped): Uint8Array {
  if (wrapped.keyId !== keyId || text(wrapped.nonce) !== purpose) throw new Error('does not open');
  return bytes(text(wrapped.ciphertext).slice(keyId.length + 1));
}

/** How long a process may believe that a tenant does not move. */
export const UNAWARE_MS = 1;

/** Two installations in memory, and the move of the tenant `acme` between them. */
export class FakeCells {
  readonly tenantId: TenantId = newId();
  readonly source = new FakeSource('a');
  readonly target = new FakeTarget('b');
  /** The epoch of the log that the target began. */
  epoch: number | null = null;
  taken: string[] = [];
  switched: string[] = [];
  receiverOf = 'b';
  /** The databases that the move reaches. */
  reached: { source: string | null; target: string | null } = { source: 'a', target: 'b' };
  mapped: MapRows = { cells: ['eu1', 'eu2'], tenants: [] };
  now = 0;

  /** The tenants whose signing keys the source forgot. */
  readonly forgotten: TenantId[] = [];
  /** The entries of the source's log. */
  entries: string[] = [];
  readonly log: SourceLog = {
    reachedDatabase: () => Promise.resolve(this.reached.source),
    end: () => Promise.resolve(void this.entries.push('leaving')),
    stay: () => Promise.resolve(void this.entries.push('stayed')),
  };

  constructor() {
    this.source.tenant = this.tenantId;
    this.source.follower = this.target;
    this.target.head = null;
    this.source.rows = ['one', 'two'];
    const row = { id: 's1', name: 'root', version: 1 };
    const purpose = SECRET?.purpose(this.tenantId, row) ?? '';
    this.source.secrets = [{ ...row, wrapped: wrappedBy('source', purpose, bytes('hunter2')) }];
  }

  /** @param reached may throw, to interrupt the move. */
  move(reached: (state: MoveState) => void = () => undefined): MoveTenant {
    return this.leaving().moveTo({
      target: this.target,
      receiver: this.#receiver(),
      map: {
        cells: {
          read: () => Promise.resolve(this.mapped),
          switch: (_tenant, cell) => {
            this.switched.push(cell);
            return Promise.resolve();
          },
        },
        cell: 'eu2',
      },
      clock: {
        now: () => this.now,
        sleep: (ms) => {
          this.now += ms;
          return Promise.resolve();
        },
      },
      settings: { unawareMs: UNAWARE_MS, drainMs: 100, freezeMs: 100, copyMs: 100, lockMs: 50, lookMs: 10 },
      reached,
    });
  }

  /** The use cases of the source. */
  leaving() {
    return createTenantMove({ source: this.source, keys: this.#keys(), log: this.log });
  }

  /** The secret as it opens on the target, under its own key. */
  get secretThere(): string | null {
    const [secret] = this.target.secrets;
    if (secret === undefined || SECRET === undefined) return null;
    return text(unwrappedBy('target', SECRET.purpose(this.tenantId, { ...secret }), secret.wrapped));
  }

  #keys(): SourceKeys {
    return {
      open: (purpose, wrapped) => Promise.resolve(unwrappedBy('source', purpose, wrapped)),
      signingKey: (_tenantId, name) => Promise.resolve(bytes(name)),
      forgetSigningKeys: (tenantId) => Promise.resolve(void this.forgotten.push(tenantId)),
      keysToHandOver: () => Promise.resolve([{ purpose: 'row-seal', id: 'k1', key: bytes('key') }]),
    };
  }

  #receiver(): Receiver {
    const digest = (purpose: string, plain: Uint8Array): string => `${purpose}=${text(plain)}`;
    return {
      identity: () => Promise.resolve(this.receiverOf),
      reachedDatabase: () => Promise.resolve(this.reached.target),
      wrap: (values) => Promise.resolve(values.map(({ purpose, plain }) => wrappedBy('target', purpose, plain))),
      digests: (values) =>
        Promise.resolve(
          values.map(({ purpose, wrapped }) => {
            try {
              return digest(purpose, unwrappedBy('target', purpose, wrapped));
            } catch {
              return '';
            }
          }),
        ),
      digest: ({ purpose, plain }) => digest(purpose, plain),
      takeKeys: (keys) => {
        this.taken.push(...keys.map(({ purpose }) => purpose));
        return Promise.resolve();
      },
      takeSigningKey: (_tenantId, name) => {
        this.taken.push(name);
        return Promise.resolve();
      },
      startEpoch: ({ closed }) => {
        this.epoch ??= closed + 1;
        return Promise.resolve(this.epoch);
      },
      close: () => Promise.resolve(),
    };
  }
}
