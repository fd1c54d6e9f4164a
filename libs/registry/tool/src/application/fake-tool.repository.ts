import type { PersonId, ToolVersionId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ToolHead, ToolVersion } from '../domain/tool-version.js';
import type { RecordedToolVersion, ToolRepository } from './tool.ports.js';

/** A tool with all that it ever was, oldest first. */
interface Kept {
  readonly removed: boolean;
  readonly versions: readonly RecordedToolVersion[];
}

const bare = ({ createdAt: _at, createdBy: _by, ...version }: RecordedToolVersion): ToolVersion => version;

/** Keeps tools in memory. */
export class FakeToolRepository implements ToolRepository {
  readonly #tools: FakeTable<Kept>;

  constructor(database: FakeUnitOfWork) {
    this.#tools = new FakeTable(database);
  }

  async resolve(tx: Tx, name: string): Promise<ToolVersion | null> {
    return (await this.resolveMany(tx, [name])).get(name) ?? null;
  }

  get(tx: Tx, name: string, version: number): Promise<ToolVersion | null> {
    const found = this.#tools
      .of(tx)
      .get(name)
      ?.versions.find((kept) => kept.version === version);
    return Promise.resolve(found === undefined ? null : bare(found));
  }

  resolveMany(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, ToolVersion>> {
    const found = this.#current(tx).filter(({ name }) => names.includes(name));
    return Promise.resolve(new Map(found.map((version) => [version.name, bare(version)])));
  }

  getMany(tx: Tx, ids: readonly ToolVersionId[]): Promise<ReadonlyMap<ToolVersionId, ToolVersion>> {
    const all = [...this.#tools.of(tx).values()].flatMap(({ versions }) => versions);
    return Promise.resolve(new Map(all.filter(({ id }) => ids.includes(id)).map((kept) => [kept.id, bare(kept)])));
  }

  list(tx: Tx): Promise<readonly RecordedToolVersion[]> {
    return Promise.resolve(this.#current(tx));
  }

  lockForChange(): Promise<void> {
    return Promise.resolve();
  }

  heads(tx: Tx): Promise<ReadonlyMap<string, ToolHead>> {
    const kept = [...this.#tools.of(tx)].sort(([a], [b]) => (a < b ? -1 : 1));
    return Promise.resolve(
      new Map(
        kept.flatMap(([name, { removed, versions }]) =>
          versions.slice(-1).map((newest) => [name, { name, removed, current: bare(newest) }] as const),
        ),
      ),
    );
  }

  history(tx: Tx, name: string): ReturnType<ToolRepository['history']> {
    const kept = this.#tools.of(tx).get(name);
    return Promise.resolve(kept === undefined ? null : { ...kept, versions: kept.versions.toReversed() });
  }

  addVersion(tx: Tx, tool: ToolVersion, _text: string, createdBy: PersonId, at: number): Promise<void> {
    const versions = this.#tools.of(tx).get(tool.name)?.versions ?? [];
    if (versions.some(({ version }) => version === tool.version))
      throw new FakeRefusal('23505', 'tool_version_version_key');
    const recorded = { ...tool, createdAt: at, createdBy };
    this.#tools.of(tx).set(tool.name, { removed: false, versions: [...versions, recorded] });
    return Promise.resolve();
  }

  remove(tx: Tx, name: string): Promise<void> {
    const kept = this.#tools.of(tx).get(name);
    if (kept !== undefined) this.#tools.of(tx).set(name, { ...kept, removed: true });
    return Promise.resolve();
  }

  #current(tx: Tx): readonly RecordedToolVersion[] {
    return [...this.#tools.of(tx).values()]
      .flatMap(({ removed, versions }) => (removed ? [] : versions.slice(-1)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
