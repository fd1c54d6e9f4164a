import { FailureError, newId } from '#lib/kernel';
import type { MoveState } from '../domain/move-state.js';
import { FakeCells, UNAWARE_MS } from './fake-cells.js';
import { undoAtSource } from './undo-move.js';

const INTERRUPTED = ['copying', 'caught_up', 'draining', 'frozen', 'compared', 'switched', 'done'] as const;
const UNDONE_ALONE = ['copying', 'caught_up', 'draining', 'frozen', 'compared'] as const;
const UNDONE = [...UNDONE_ALONE, 'switched'] as const;

class Interrupted extends Error {}

/** Throws when the move reaches a state. */
const at =
  (state: MoveState) =>
  (reached: MoveState): void => {
    if (reached === state) throw new Interrupted();
  };

describe('the move of a tenant', () => {
  let cells: FakeCells;

  beforeEach(() => {
    cells = new FakeCells();
  });

  const interrupt = async (state: MoveState): Promise<void> => {
    await expect(cells.move(at(state)).execute('acme')).rejects.toBeInstanceOf(Interrupted);
  };
  const codeOf = async (work: Promise<{ readonly ok: boolean; readonly error?: { readonly code: string } }>) => {
    try {
      const result = await work;
      return result.ok ? 'done' : result.error?.code;
    } catch (error) {
      if (error instanceof FailureError) return error.failure.code;
      throw error;
    }
  };

  const expectMoved = (): void => {
    expect(cells.target).toMatchObject({ rows: ['one', 'two'], numbersRaised: true, follows: false });
    expect(cells.secretThere).toBe('hunter2');
    expect(cells.source).toMatchObject({ published: false, rows: ['one', 'two'] });
    expect(cells.source.moves.map(({ state, closedEpoch }) => [state, closedEpoch])).toEqual([['done', 1]]);
    expect(cells.target.moves.map(({ state }) => state)).toEqual(['arrived']);
    expect(cells.epoch).toBe(2);
  };

  it('goes through its states, hands the keys over, and changes the map', async () => {
    const states: MoveState[] = [];
    const result = await cells.move((state) => states.push(state)).execute('acme');
    expect(result).toEqual({ ok: true, value: { tenantId: cells.tenantId, state: 'done', epoch: 2 } });
    expect(states).toEqual(INTERRUPTED);
    expect(cells.taken).toEqual(['row-seal', 'key-1']);
    expect(cells.switched).toEqual(['eu2']);
    expect(cells.entries).toEqual(['leaving']);
    expectMoved();
  });

  it('digests the rows before the tenant is held, under the key of the comparison', async () => {
    await cells.move().execute('acme');
    for (const { ahead, comparedBy } of [cells.source, cells.target]) expect(ahead?.salt).toBe(comparedBy);
    expect([cells.source.ahead?.states, cells.target.ahead?.states]).toEqual([['caught_up'], ['arriving']]);
  });

  it.each(INTERRUPTED)('goes on after an interruption at %s', async (state) => {
    await interrupt(state);
    const told: MoveState[] = [];
    expect(await cells.move((each) => told.push(each)).execute('acme')).toMatchObject({
      ok: true,
      value: { state: 'done' },
    });
    // Of the state where it stood, too: somebody looks at a command that would say nothing for a while.
    expect(told).toEqual(INTERRUPTED.slice(INTERRUPTED.indexOf(state)));
    expectMoved();
  });

  it.each(UNDONE)('is undone from %s, and can begin anew', async (state) => {
    await interrupt(state);
    expect(await cells.move().undo('acme')).toMatchObject({ ok: true, value: { state: 'undone', epoch: null } });
    expect(cells.source.moves.map((move) => move.state)).toEqual(['undone']);
    expect(cells.entries.at(-1)).toBe('stayed');
    expect(cells.source.published).toBe(false);
    expect(cells.target).toMatchObject({ tenant: null, rows: [], secrets: [], follows: false });
    expect(cells.target.moves.filter((move) => move.state !== 'undone')).toEqual([]);
    expect(cells.epoch).toBeNull();
    expect(await cells.move().execute('acme')).toMatchObject({ ok: true });
    expect(cells.secretThere).toBe('hunter2');
  });

  it.each(UNDONE_ALONE)(
    'is undone from %s on the source alone if the target is away, and there later',
    async (state) => {
      await interrupt(state);
      expect(await codeOf(undoAtSource(cells.source, cells.log, 'acme'))).toBe('tenant_move.half_undone');
      expect(cells.source).toMatchObject({ published: false, moves: [{ state: 'undone' }] });
      expect(await codeOf(undoAtSource(cells.source, cells.log, 'acme'))).toBe('tenant_move.target_unreached');
      // While it is copying, nothing has arrived yet.
      expect(await codeOf(cells.move().undo('acme'))).toBe(
        state === 'copying' ? 'tenant_move.nothing_to_undo' : 'done',
      );
      expect(cells.target).toMatchObject({ tenant: null, rows: [], follows: false });
    },
  );

  it('is not undone on the source alone once it is switched', async () => {
    await interrupt('switched');
    expect(await codeOf(undoAtSource(cells.source, cells.log, 'acme'))).toBe('tenant_move.target_decides');
    expect(cells.source.moves.map((move) => move.state)).toEqual(['switched']);
    await cells.move().execute('acme');
    expect(await codeOf(undoAtSource(cells.source, cells.log, 'acme'))).toBe('tenant_move.too_late');
  });

  it.each<[string, (cells: FakeCells) => void]>([
    [
      'it serves there, although the source has not heard of it',
      ({ source }) => Object.assign(source.moves[0] ?? {}, { state: 'switched' }),
    ],
    ['it is done', () => undefined],
  ])('cannot be undone once %s', async (_what, arrange) => {
    await cells.move().execute('acme');
    arrange(cells);
    expect(await codeOf(cells.move().undo('acme'))).toBe('tenant_move.too_late');
    expect(await codeOf(cells.move().execute('acme'))).toBe('done');
    expect(cells.target.rows).toEqual(['one', 'two']);
  });

  it.each(['source', 'target'] as const)('waits for another command on the %s, and then gives up', async (side) => {
    await interrupt('caught_up');
    cells[side].locked = true;
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.other_command');
    expect(await codeOf(cells.move().undo('acme'))).toBe('tenant_move.other_command');
    if (side === 'source')
      expect(await codeOf(undoAtSource(cells.source, cells.log, 'acme'))).toBe('tenant_move.other_command');
    expect(cells.source.moves.map(({ state }) => state)).toEqual(['caught_up']);
  });

  it.each(['draining', 'frozen', 'compared'] as const)(
    'goes on from the copy if it was %s for too long',
    async (state) => {
      cells.source.over = state;
      expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.held_too_long');
      expect(cells.source.moves.map((move) => move.state)).toEqual(['copying']);
      expect(cells.entries).toEqual(state === 'draining' ? [] : ['leaving', 'stayed']);
      cells.source.rows.push('three');
      cells.source.over = null;
      expect(await codeOf(cells.move().execute('acme'))).toBe('done');
      expect(cells.target.rows).toEqual(['one', 'two', 'three']);
      expect(cells.secretThere).toBe('hunter2');
    },
  );

  it('lets the tenant go if a transaction of before the freeze does not end', async () => {
    cells.source.quiet = false;
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.transactions_open');
    expect(cells.source.moves.map((move) => move.state)).toEqual(['copying']);
  });

  it('waits for calls under way, and unfreezes if one left before the freeze', async () => {
    cells.source.under = [2, 1, 0, 1, 0, 0];
    const states: MoveState[] = [];
    await cells.move((state) => states.push(state)).execute('acme');
    expect(states).toEqual([
      'copying',
      'caught_up',
      'draining',
      'frozen',
      'draining',
      'frozen',
      'compared',
      'switched',
      'done',
    ]);
  });

  it('looks for calls under way once every process knows of the draining', async () => {
    let drainedAt = 0;
    const waits: number[] = [];
    jest.spyOn(cells.source, 'callsUnderWay').mockImplementation(() => {
      waits.push(cells.now - drainedAt);
      return Promise.resolve(0);
    });
    await cells
      .move((state) => {
        if (state === 'draining') drainedAt = cells.now;
      })
      .execute('acme');
    expect(waits[0]).toBe(UNAWARE_MS);
  });

  it('gives up on calls that do not end, and goes on later', async () => {
    cells.source.under = Array.from({ length: 20 }, () => 1);
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.calls_under_way');
    expect(cells.source.moves.map((move) => move.state)).toEqual(['copying']);
    cells.source.under = [];
    expect(await codeOf(cells.move().execute('acme'))).toBe('done');
  });

  it.each<[string, (cells: FakeCells) => void]>([
    ['a row', ({ target }) => (target.rows = ['one'])],
    ['a row more', ({ target }) => target.rows.push('three')],
    ['the tree', ({ target }) => (target.head = { epoch: 1, size: '3', root: 'x' })],
  ])('stops before the switch if %s differs', async (_what, change) => {
    await interrupt('frozen');
    // A stranger writes to the target after it has caught up.
    const { rewrap } = cells.target;
    cells.target.rewrap = (...row) => {
      change(cells);
      return rewrap(...row);
    };
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.different');
    expect(cells.source.moves.map(({ state }) => state)).toEqual(['copying']);
    expect(cells.epoch).toBeNull();
  });

  it('blames no stranger if the database let the tenant go, and it wrote, during the comparison', async () => {
    await interrupt('frozen');
    const { rewrap } = cells.target;
    cells.target.rewrap = (...row) => {
      cells.source.over = 'frozen';
      cells.source.rows.push('three');
      return rewrap(...row);
    };
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.held_too_long');
    expect(cells.source.moves.map(({ state }) => state)).toEqual(['copying']);
  });

  it('stops if a secret opens otherwise on the target, and the log says that the tenant stays', async () => {
    cells.target.rewrap = () => Promise.resolve();
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.different');
    expect(cells.entries).toEqual(['leaving', 'stayed']);
    // A log that takes no entry hides no reason.
    jest.spyOn(cells.log, 'stay').mockRejectedValue(new Error('no database'));
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.different');
    expect(cells.source.moves.map(({ state }) => state)).toEqual(['copying']);
  });

  it('says nothing in the log of a freeze that it could not end', async () => {
    cells.target.rewrap = () => Promise.resolve();
    const { advance } = cells.source;
    Object.assign(cells.source, {
      advance: (...[move, event, how]: Parameters<typeof advance>) =>
        event === 'expire' ? Promise.reject(new Error('no database')) : advance(move, event, how),
    });
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.different');
    expect(cells.entries).toEqual(['leaving']);
  });

  const WRONG: readonly (readonly [string, (cells: FakeCells) => void])[] = [
    ['tenant_move.rights', ({ target }) => target.missing.push('BYPASSRLS')],
    ['tenant_move.schemas_differ', ({ target }) => target.migrations.set('0002_more', 'b')],
    ['tenant_move.no_database_session', ({ reached }) => (reached.source = null)],
    ['tenant_move.no_database_session', ({ reached }) => (reached.target = null)],
    ['tenant_move.other_service', ({ reached }) => (reached.source = 'c')],
    ['tenant_move.other_service', ({ reached }) => (reached.target = 'c')],
    ['tenant_move.months_away', ({ source }) => source.away.push('audit_entry 2026-01')],
    ['tenant_move.months_away', ({ target }) => target.detached.push('audit_entry 2026-01')],
    ['tenant_move.unknown_cell', (world) => (world.mapped = { ...world.mapped, cells: ['eu1'] })],
    [
      'tenant_move.slug_in_map',
      (world) => (world.mapped = { ...world.mapped, tenants: [{ id: newId(), slug: 'acme' }] }),
    ],
    ['tenant_move.change_requests_open', ({ source }) => (source.waiting = 1)],
  ];

  it.each(WRONG)(
    'is refused with %s at the last moment before the switch, and the tenant works on',
    async (code, arrange) => {
      const moving = cells.move((state) => {
        if (state === 'compared') arrange(cells);
      });
      expect(await codeOf(moving.execute('acme'))).toBe(code);
      expect(cells.source.moves.map(({ state }) => state)).toEqual(['copying']);
      expect(cells.target.moves.map(({ state }) => state)).toEqual(['arriving']);
    },
  );

  it('does not mind months of others that the target has detached', async () => {
    cells.target.detached = ['audit_entry 2025-12', 'decision 2026-01'];
    expect(await codeOf(cells.move().execute('acme'))).toBe('done');
  });

  it.each<readonly [string, (cells: FakeCells) => void]>([
    ...WRONG,
    ['tenant_move.unknown_tenant', ({ source }) => (source.tenant = null)],
    ['tenant_move.same_installation', (world) => Object.assign(world.target, { name: 'a' })],
    ['tenant_move.other_receiver', (world) => (world.receiverOf = 'a')],
    ['tenant_move.slug_taken', ({ target, source }) => (target.tenant = source.tenant)],
  ])('is refused with %s, and the target has no rows', async (code, arrange) => {
    arrange(cells);
    expect(await codeOf(cells.move().execute('acme'))).toBe(code);
    expect([cells.target.rows, cells.target.moves, cells.source.moves]).toEqual([[], [], []]);
  });

  it('does not begin over rows that an undoing left on the target', async () => {
    await interrupt('caught_up');
    const [move] = cells.source.moves;
    if (move !== undefined) move.state = 'undone';
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.other_move');
    // The one command clears both sides.
    expect(await codeOf(cells.move().undo('acme'))).toBe('done');
    expect(cells.source.published).toBe(false);
    expect(await codeOf(cells.move().execute('acme'))).toBe('done');
  });

  it('does not begin over rows from before the tenant moved away from there', async () => {
    await cells.move().execute('acme');
    cells.target.moves.splice(0, 1, ...cells.source.moves.splice(0));
    expect(await codeOf(cells.move().execute('acme'))).toBe('tenant_move.lived_there');
  });

  it('has nothing to undo where the other installation has the tenant’s former place', async () => {
    await cells.move().execute('acme');
    cells.target.moves.splice(0, 1, ...cells.source.moves.splice(0));
    expect(await codeOf(cells.move().undo('acme'))).toBe('tenant_move.nothing_to_undo');
  });

  it('has nothing to undo before it begins', async () => {
    expect(await codeOf(cells.move().undo('acme'))).toBe('tenant_move.nothing_to_undo');
  });
});
