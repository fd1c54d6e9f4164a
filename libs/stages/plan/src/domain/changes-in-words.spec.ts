import { planDocumentSchema, type PlanDocument } from '#lib/formats';
import { changesInWords } from './changes-in-words.js';
import { diffPlans } from './diff-plans.js';

const document = (change: Record<string, unknown> = {}, step: Record<string, unknown> = {}): PlanDocument =>
  planDocumentSchema.parse({
    phases: [
      {
        name: 'canary',
        targets: ['web-01', 'web-02', 'web-03'],
        wait_seconds: 3_000,
        steps: [{ id: 'rollout', tool: 'execute_rollout', arguments: { image: 'web-2026.08' }, ...step }],
        ...change,
      },
    ],
  });

const linesOf = (before: PlanDocument, after: PlanDocument): string[] =>
  diffPlans({ document: before, expanded: null }, { document: after, expanded: null }).inWords.map(
    (change) => `${change.where}: ${change.what} ${change.before ?? 'nothing'} → ${change.after ?? 'nothing'}`,
  );

describe('the changes of a revision, in words', () => {
  it.each<[string, PlanDocument, string]>([
    ['an argument', document({}, { arguments: { image: 'web-2026.11' } }), 'image "web-2026.08" → "web-2026.11"'],
    ['a wait', document({ wait_seconds: 60 }), 'wait 50 min → 1 min'],
    ['a condition', document({ rollback_if: 'web.up < 1' }), 'rolls back if nothing → "web.up < 1"'],
    ['targets', document({ targets: ['web-01', 'web-02', 'web-04'] }), 'targets web-03 → web-04'],
    [
      'the order of targets',
      document({ targets: ['web-02', 'web-01', 'web-03'] }),
      'order of targets web-01 … web-03 (3) → web-02, web-01, web-03',
    ],
    ['what happens on failure', document({}, { on_failure: 'rollback' }), 'if it fails "pause" → "rollback"'],
    [
      'an undo',
      document({}, { compensate_with: { tool: 'execute_rollout', arguments: { image: 'web-1' } } }),
      'undo nothing → {"tool": "execute_rollout", "arguments": {"image": "web-1"}}',
    ],
    [
      'a health check',
      document({ health_checks: [{ name: 'web', tool: 'check', arguments: { service: 'web' } }] }),
      'check web nothing → check {"service": "web"}',
    ],
  ])('says %s once, and without a pointer', (_what, after, line) => {
    const lines = linesOf(document(), after);
    expect(lines).toEqual([`canary: ${line}`]);
  });

  const step = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    id,
    tool: 'restart',
    arguments: { host: 'web-01' },
    ...more,
  });
  const two = (first: Record<string, unknown> = {}, second: Record<string, unknown> = {}): PlanDocument =>
    document({ steps: [step('one', first), step('two', second)] });
  const undo = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
    tool: 'restart',
    arguments: { host: 'web-01', labels: { 'tier/a~b': 'x' } },
    ...more,
  });
  const checked = (...names: string[]): PlanDocument =>
    document({ health_checks: names.map((name) => ({ name, tool: 'check', arguments: { service: name } })) });

  it.each<[string, PlanDocument, PlanDocument, string[]]>([
    [
      'targets that came',
      document({ targets: ['web-01'] }),
      document({ targets: ['web-01', 'db-01'] }),
      ['targets nothing → db-01'],
    ],
    [
      'targets that went',
      document({ targets: ['web-01', 'db-01'] }),
      document({ targets: ['web-01'] }),
      ['targets db-01 → nothing'],
    ],
    [
      'an argument of one step of two',
      two(),
      two({}, { arguments: { host: 'web-02' } }),
      ['step two, host "web-01" → "web-02"'],
    ],
    ['a step that came', document({ steps: [step('one')] }), two(), ['step two nothing → restart {"host": "web-01"}']],
    ['a step that went', two(), document({ steps: [step('two')] }), ['step one restart {"host": "web-01"} → nothing']],
    [
      'the order of steps',
      two(),
      document({ steps: [step('two'), step('one')] }),
      ['order of steps ["one", "two"] → ["two", "one"]'],
    ],
    ['the tool of a step', two(), two({ tool: 'rollout' }), ['step one, tool "restart" → "rollout"']],
    ['all arguments', document({}, { arguments: {} }), document({}, { arguments: { a: 1 } }), ['a nothing → 1']],
    [
      'an argument of an undo',
      two({ compensate_with: undo() }),
      two({ compensate_with: undo({ arguments: { host: 'web-01', labels: { 'tier/a~b': 'y' } } }) }),
      ['step one, undo, labels.tier/a~b "x" → "y"'],
    ],
    [
      'the tool of an undo',
      two({ compensate_with: undo() }),
      two({ compensate_with: undo({ tool: 'rollout' }) }),
      ['step one, undo, tool "restart" → "rollout"'],
    ],
    ['a check that went', checked('web', 'db'), checked('web'), ['check db check {"service": "db"} → nothing']],
    [
      'the first check, that went',
      checked('web', 'db'),
      checked('db'),
      ['check web check {"service": "web"} → nothing'],
    ],
    [
      'the order of checks',
      checked('web', 'db'),
      checked('db', 'web'),
      ['order of checks ["web", "db"] → ["db", "web"]'],
    ],
    ['a batch size', document(), document({ batch_percent: 20 }), ['batch size in percent 100 → 20']],
    ['a canary', document(), document({ canary: true }), ['canary false → true']],
  ])('says %s', (_what, before, after, lines) => {
    expect(linesOf(before, after)).toEqual(lines.map((line) => `canary: ${line}`));
  });

  it('says phases that came, went and changed places', () => {
    const phases = (...names: string[]): PlanDocument =>
      planDocumentSchema.parse({
        phases: names.map((name) => ({
          name,
          targets: ['web-01', 'web-02'],
          steps: [step('a'), step('b')].map((one) => ({ ...one, id: `${name}-${String(one.id)}` })),
        })),
      });
    const line = 'phase restart, restart on 2 targets → nothing';
    expect(linesOf(phases('one', 'two'), phases('two'))).toEqual([`one: ${line}`]);
    expect(linesOf(phases('two'), phases('two', 'one'))).toEqual([
      'one: phase nothing → restart, restart on 2 targets',
    ]);
    expect(linesOf(phases('one', 'two'), phases('two', 'one'))).toEqual([
      ': order of phases ["one", "two"] → ["two", "one"]',
    ]);
  });

  it('says where a change stands by now, and where a removed part stood before', () => {
    const phase = (name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
      ...{ name, targets: ['web-01'], steps: [step(`${name}-step`)] },
      ...more,
    });
    const phases = (...all: readonly Record<string, unknown>[]): PlanDocument =>
      planDocumentSchema.parse({ phases: all });
    const [one, went] = [phase('one', { targets: ['a'] }), 'one: phase restart on 1 target → nothing'];
    const [a, b, c] = [step('a'), step('b'), step('c')];
    const changed = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
      linesOf(phases(one, phase('two', before)), phases(one, phase('two', after)));
    expect(changed({}, { targets: ['db-01'] })).toEqual(['two: targets web-01 → db-01']);
    expect(changed({ steps: [a, b] }, { steps: [b] })).toEqual(['two: step a restart {"host": "web-01"} → nothing']);
    expect(linesOf(phases(one, phase('two', { rollback_if: 'web.up < 1' })), phases(phase('two')))).toEqual([
      went,
      'two: rolls back if "web.up < 1" → nothing',
    ]);
    expect(
      changed({ steps: [a, step('b', { arguments: { host: 'web-01', force: true } }), c] }, { steps: [b, c] }),
    ).toEqual(['two: step a restart {"host": "web-01"} → nothing', 'two: step b, force true → nothing']);
  });

  it('names the check whose argument changed, in a phase of one step, too', () => {
    const check = (service: string): PlanDocument =>
      document({ health_checks: [{ name: 'web', tool: 'check', arguments: { service } }] });
    expect(linesOf(check('web'), check('db'))).toEqual(['canary: check web, service "web" → "db"']);
  });

  it("says that the agent's words changed", () => {
    const summed = (summary: string): PlanDocument => ({ ...document(), summary });
    expect(linesOf(summed('a'), summed('b'))).toEqual([`: the agent's words "a" → "b"`]);
  });

  it.each<[string, string, string, string]>([
    ['/tool/version', '1', '2', 'version of its tool 1 → 2'],
    ['/executor/name', 'fleet', 'other', 'executor "fleet" → "other"'],
    [
      '/executor/digest',
      `sha256:${'1'.repeat(64)}`,
      `sha256:${'2'.repeat(64)}`,
      `address or terms of its executor sha256:${'1'.repeat(12)} → sha256:${'2'.repeat(12)}`,
    ],
  ])('says %s that only the expansion changed, once a step', (pointer, before, after, line) => {
    const [was, is] = pointer === '/tool/version' ? [Number(before), Number(after)] : [before, after];
    const changed = { pointer, kind: 'changed', before: was, after: is } as const;
    const written = { pointer: '/arguments/image', kind: 'changed', before: 'a', after: 'b' } as const;
    const call = { phase: 'canary', stepId: 'rollout', changes: [changed, written] };
    const unchanged = document();
    const lines = changesInWords({ before: unchanged, after: unchanged, document: [], calls: [call, call] });
    expect(lines.map((one) => `${one.where}: ${one.what} ${String(one.before)} → ${String(one.after)}`)).toEqual([
      `canary: step rollout, ${line}`,
    ]);
  });

  it('says a difference at a place that neither revision has by its pointer', () => {
    const change = (pointer: string) =>
      changesInWords({
        before: document(),
        after: document(),
        document: [{ pointer, kind: 'changed', before: 1, after: 2 }],
        calls: null,
      }).map(({ where, what }) => [where, what]);
    expect(change('/phases/9/name')).toEqual([['', 'phases.9.name']]);
    expect(change('/phases/0/steps/9/tool')).toEqual([['canary', 'steps.9.tool']]);
    expect(change('/phases/0/unheard')).toEqual([['canary', 'unheard']]);
    expect(change('/unheard')).toEqual([['', 'unheard']]);
  });

  it('says nothing of two that are the same', () => {
    expect(linesOf(document(), document())).toEqual([]);
  });
});
