import { planDocumentSchema, type PlanDocument } from '#lib/formats';
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

  it('says nothing of two that are the same', () => {
    expect(linesOf(document(), document())).toEqual([]);
  });
});
