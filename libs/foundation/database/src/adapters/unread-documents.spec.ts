import type { SystemQuery } from '../application/database.ports.js';
import type { Sql } from './sql.js';

interface Scalars {
  readonly id: string;
  readonly state: 'open' | 'closed';
  readonly count: number | null;
  readonly at: Date;
  readonly digest: Buffer;
  readonly names: readonly string[];
}

const sql: Pick<Sql, 'query'> = { query: () => Promise.resolve([]) };
const system: Pick<SystemQuery, 'read'> = { read: () => Promise.resolve([]) };

// The compiler is the test: it fails if it takes one of the rows below an `@ts-expect-error`.
describe('the row of a statement', () => {
  it('has scalars, and documents that no schema has read', async () => {
    expect(await sql.query<Scalars & { readonly document: unknown }>('select')).toEqual([]);
    expect(await system.read<Scalars & { readonly document: unknown }>('due')).toEqual([]);
  });

  it('gives no document a shape', async () => {
    // @ts-expect-error an object has a shape
    expect(await sql.query<{ readonly actor: { readonly id: string } }>('select')).toEqual([]);
    // @ts-expect-error so has an object that may be null
    expect(await sql.query<Scalars & { readonly reason: { readonly code: string } | null }>('select')).toEqual([]);
    // @ts-expect-error so has a list of objects
    expect(await sql.query<{ readonly within: readonly { readonly id: string }[] }>('select')).toEqual([]);
    // @ts-expect-error so has a map of names
    expect(await sql.query<{ readonly channels: Readonly<Record<string, string>> }>('select')).toEqual([]);
    // @ts-expect-error functions across tenants give rows as well
    expect(await system.read<{ readonly roles: readonly { readonly role: string }[] }>('standing')).toEqual([]);
  });
});
