import { parseStrictJson } from '#lib/canonical';
import type { AuditEntryId, SubjectRef, TenantId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { NewEntry, StoredEntry, StoredPayload } from '../domain/audit-entry.js';
import { KEEP_FOR_EVER, LEVELS, outOfRange, type RetentionRule } from '../domain/retention-rule.js';
import type {
  AuditEntryReader,
  AuditEntryWriter,
  EntryCursor,
  EvidenceSubject,
  PayloadRetention,
} from './audit.ports.js';

const DAY_MS = 86_400_000;
/** The key of a table with one row a tenant. */
const ONLY = 'only';

interface Row {
  /** The place in the order of insertion. */
  readonly number: number;
  readonly entry: StoredEntry;
  readonly payload: { readonly salt: Uint8Array; readonly text: string } | null;
}

const unlisted = (): Promise<never> => Promise.reject(new Error('PostgreSQL alone lists entries'));

/** Keeps audit entries in memory. Lists are in PostgreSQL alone. */
export class FakeAuditEntries implements AuditEntryWriter, AuditEntryReader {
  readonly list = unlisted;
  readonly count = unlisted;
  readonly actions = unlisted;
  readonly #rows: FakeTable<Row>;
  readonly tenants = new Set<TenantId>();
  #last = 0;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  insert(tx: Tx, { id, event, evidence, payloadDigest, salt, payloadText: text }: NewEntry): Promise<void> {
    if (this.#rows.of(tx).has(id)) return Promise.reject(new FakeRefusal('23505', 'audit_entry_pk'));
    const { action, actor, level, subject, within = [], decisionId = null } = event;
    const entry: StoredEntry = {
      ...{ tenantId: tx.tenantId, id, occurredAt: Math.floor(this.database.now) },
      ...{ level, action, actor, subject, within, decisionId, evidence },
      payloadDigest: Buffer.from(payloadDigest),
    };
    this.tenants.add(tx.tenantId);
    this.#rows.of(tx).set(id, { number: (this.#last += 1), entry, payload: { salt, text } });
    return Promise.resolve();
  }

  find(tx: Tx, id: AuditEntryId): Promise<StoredEntry | null> {
    return Promise.resolve(this.#rows.of(tx).get(id)?.entry ?? null);
  }

  payloads(tx: Tx, ids: readonly AuditEntryId[]): Promise<ReadonlyMap<AuditEntryId, StoredPayload>> {
    const found = ids.flatMap((id): [AuditEntryId, StoredPayload][] => {
      const payload = this.#rows.of(tx).get(id)?.payload;
      return payload ? [[id, { salt: payload.salt, payload: parseStrictJson(payload.text, 256) }]] : [];
    });
    return Promise.resolve(new Map(found));
  }

  payloadBytes(tx: Tx, ids: readonly AuditEntryId[]): Promise<number> {
    const bytes = ids.map((id) => Buffer.byteLength(this.#rows.of(tx).get(id)?.payload?.text ?? ''));
    return Promise.resolve(bytes.reduce((sum, each) => sum + each, 0));
  }

  forPack(tx: Tx, subject: EvidenceSubject, digests: readonly string[]): Promise<readonly StoredEntry[]> {
    const all = this.of(tx).map(({ entry }) => entry);
    const fixed = new Set(digests);
    const found = all.filter(
      (entry) => isAbout(entry, subject, all) || entry.evidence.some(({ digest }) => fixed.has(digest)),
    );
    return Promise.resolve(found.sort((one, other) => one.occurredAt - other.occurredAt));
  }

  following(tx: Tx, thing: SubjectRef, from: EntryCursor | number, limit: number): Promise<readonly StoredEntry[]> {
    const isAfter = ({ occurredAt, id }: StoredEntry): boolean =>
      typeof from === 'number'
        ? occurredAt >= from
        : occurredAt > from.occurredAt || (occurredAt === from.occurredAt && id > from.id);
    const found = this.of(tx)
      .map(({ entry }) => entry)
      .filter((entry) => entry.within[0]?.type === thing.type && entry.within[0].id === thing.id && isAfter(entry));
    const ordered = found.sort((one, other) => one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1));
    return Promise.resolve(ordered.slice(0, limit));
  }

  /** All of a tenant, in the order of insertion. */
  of(tx: Pick<Tx, 'tenantId'>): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }

  /** Erases the payloads of these entries. */
  erase(tx: Tx, ids: readonly AuditEntryId[]): void {
    for (const id of ids) this.#change(tx, id, { payload: null });
  }

  /** Makes an entry this many days older. */
  age(tenant: Pick<Tx, 'tenantId'>, id: AuditEntryId, days: number): void {
    const entry = this.#rows.of(tenant).get(id)?.entry;
    if (entry) this.#change(tenant, id, { entry: { ...entry, occurredAt: entry.occurredAt - days * DAY_MS } });
  }

  #change(tx: Pick<Tx, 'tenantId'>, id: AuditEntryId, change: Partial<Row>): void {
    const row = this.#rows.of(tx).get(id);
    if (row) this.#rows.of(tx).set(id, { ...row, ...change });
  }
}

/**
 * Whether an entry is about the change, or of the session or the run of an automation. For a plan, it is about the plan,
 * or about the task of the plan and about no plan.
 */
function isAbout(
  { subject, within }: StoredEntry,
  { type, id }: EvidenceSubject,
  all: readonly StoredEntry[],
): boolean {
  if (type === 'session') return within[0]?.type === type && within[0].id === id;
  if (type === 'automation_run') return within.some((thing) => thing.type === type && thing.id === id);
  if (type === 'change_request') return subject.type === type && subject.id === id;
  const root = all.find((entry) => entry.subject.id === id && entry.within.length > 0)?.within[0]?.id;
  const [outermost] = within;
  if (outermost === undefined || (outermost.id !== id && outermost.id !== root)) return false;
  return within.some((thing) => thing.type === type && thing.id === id) || !within.some((thing) => thing.type === type);
}

/** Keeps the retention rule of payloads in memory. */
export class FakePayloadRetention implements PayloadRetention {
  readonly #rules: FakeTable<RetentionRule>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly entries: FakeAuditEntries,
  ) {
    this.#rules = new FakeTable(database);
  }

  setRule(tx: Tx, rule: RetentionRule): Promise<void> {
    if (outOfRange(rule)) return Promise.reject(new FakeRefusal('23514', 'audit_retention_minimum_check'));
    this.#rules.of(tx).set(ONLY, rule);
    return Promise.resolve();
  }

  rule(tx: Tx): Promise<RetentionRule> {
    return Promise.resolve(this.#rules.of(tx).get(ONLY) ?? KEEP_FOR_EVER);
  }

  async erase(tx: Tx, limit: number): Promise<readonly AuditEntryId[]> {
    const rule = await this.rule(tx);
    const kept = new Map<string, number | null>(LEVELS.map((level) => [level, rule[level]]));
    const due = this.entries
      .of(tx)
      .filter(({ entry, payload }) => {
        const days = kept.get(entry.level) ?? null;
        return payload !== null && days !== null && entry.occurredAt < this.database.now - days * DAY_MS;
      })
      .map(({ entry }) => entry)
      .sort((one, other) => one.occurredAt - other.occurredAt)
      .slice(0, limit)
      .map(({ id }) => id);
    this.entries.erase(tx, due);
    return due;
  }
}
