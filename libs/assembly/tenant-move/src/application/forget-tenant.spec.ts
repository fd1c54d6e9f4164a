import type { MoveState } from '../domain/move-state.js';
import { FakeCells } from './fake-cells.js';

describe('the rows of a tenant that moved away', () => {
  let cells: FakeCells;

  beforeEach(() => {
    cells = new FakeCells();
  });

  const forget = () => cells.leaving().forgetTenant.execute('acme');

  it('are removed with its keys, and the tenant can come back', async () => {
    await cells.move().execute('acme');
    expect(await forget()).toEqual({ ok: true, value: { tenantId: cells.tenantId, rows: 2 } });
    expect(cells.source).toMatchObject({ tenant: null, rows: [], moves: [{ state: 'forgotten' }] });
    expect(cells.forgotten).toEqual([cells.tenantId]);
    expect(cells.target.rows).toEqual(['one', 'two']);
    expect(await cells.source.liveMove('acme')).toBeNull();
    expect(await forget()).toMatchObject({ ok: false, error: { code: 'tenant_move.not_moved' } });
  });

  it('stay as long as the tenant has not moved', async () => {
    expect(await forget()).toMatchObject({ ok: false, error: { code: 'tenant_move.not_moved' } });
    const dies = (state: MoveState): void => {
      if (state === 'switched') throw new Error('died');
    };
    await expect(cells.move(dies).execute('acme')).rejects.toThrow('died');
    expect(await forget()).toMatchObject({ ok: false, error: { code: 'tenant_move.not_moved' } });
    expect([cells.source.rows, cells.forgotten]).toEqual([['one', 'two'], []]);
  });

  it('are left to the command that works on them', async () => {
    await cells.move().execute('acme');
    cells.source.locked = true;
    expect(await forget()).toMatchObject({ ok: false, error: { code: 'tenant_move.other_command' } });
    expect(cells.source.rows).toEqual(['one', 'two']);
  });
});
