import type { JsonObject } from '#lib/canonical';
import { checkComments } from './check-comments.js';
import { actor, failureOf, packOf, person, PLAN, type FakeEvent } from './fake-pack.js';
import { refuse } from './verification-failure.js';

const added = (body: string, changes: JsonObject = {}, by = person('ada'), id = 'comment-1'): FakeEvent => ({
  action: 'comment.added',
  actor: by,
  fixes: [
    {
      kind: 'comment',
      id,
      document: { author: { kind: by.kind, id: by.id }, subject: { id: PLAN.id }, body, ...changes },
    },
  ],
});
const linesOf = (...events: readonly FakeEvent[]): string[] => checkComments(packOf(events), refuse);
const refusalOf = (...events: readonly FakeEvent[]): ReturnType<typeof failureOf> =>
  failureOf((say) => checkComments(packOf(events), say));

describe('the comments of a pack', () => {
  it('are listed with their author, and those of an agent as words of the agent', () => {
    expect(
      linesOf({ action: 'plan.validated' }, added('Go "on".\nNow.'), added('Done.', {}, actor('agent', 'bot'), 'c-2')),
    ).toEqual([
      'Ada commented at 2026-11-22T00:00:01.000Z: "Go \\"on\\".\\nNow."',
      'Bot, an agent, wrote at 2026-11-22T00:00:02.000Z, and nobody verified it: "Done."',
    ]);
  });

  it('are found among other evidence of their entry', () => {
    const { fixes = [], ...event } = added('Go.');
    expect(linesOf({ ...event, fixes: [{ kind: 'review', id: 'r', document: {} }, ...fixes] })).toHaveLength(1);
  });

  it('are refused with story.comment if their entry fixed none', () => {
    expect(refusalOf(added('Go.'), { ...added('No.'), fixes: [] })?.code).toBe('story.comment');
  });

  it('are cut at 300 characters', () => {
    const [whole, cut] = [added('x'.repeat(300)), added('x'.repeat(301), {}, person('ada'), 'c-2')];
    expect(linesOf(whole, cut).map((line) => /: "(.*)"$/.exec(line)?.[1])).toEqual([
      'x'.repeat(300),
      `${'x'.repeat(300)}…`,
    ]);
    expect(linesOf(added('', { body: null }))[0]).toMatch(/: ""$/);
  });

  it('are counted beyond twenty', () => {
    const comments = Array.from({ length: 22 }, (_, n) =>
      added(`no ${String(n)}`, {}, person('ada'), `c-${String(n)}`),
    );
    expect(linesOf(...comments.slice(0, 20))).toHaveLength(20);
    expect(linesOf(...comments.slice(0, 20)).at(-1)).toContain('no 19');
    expect(linesOf(...comments).slice(19)).toEqual([
      expect.stringContaining('no 19'),
      '2 more comments are in the pack.',
    ]);
    expect(linesOf(...comments)).toHaveLength(21);
  });

  it.each<[what: string, event: FakeEvent]>([
    ['an author of another id', added('x', { author: { kind: 'person', id: 'bob' } })],
    ['an author of another kind', added('x', { author: { kind: 'agent', id: 'ada' } })],
    ['another subject', added('x', { subject: { id: 'plan-2' } })],
  ])('are refused with %s than the entry', (_what, event) => {
    expect(refusalOf({ action: 'plan.validated' }, event)).toMatchObject({
      code: 'story.comment',
      message: 'The comment comment-1 names another author or subject than its entry.',
      pointer: '/entries/1',
    });
  });

  it('are refused if one is not there as its entry fixed it', () => {
    const pack = packOf([added('x')]);
    for (const change of [{ kind: 'note' }, { id: 'comment-2' }, { document: { body: 'y' } }]) {
      const documents = pack.documents.map((one) => ({ ...one, ...change }));
      expect(failureOf((say) => checkComments({ ...pack, documents }, say))).toMatchObject({
        code: 'story.comment',
        message: 'The entry entry-0 fixed a comment that is not in the pack.',
        pointer: '/entries/0',
      });
    }
    expect(refusalOf({ action: 'comment.added' })?.code).toBe('story.comment');
    expect(refusalOf({ action: 'comment.added', fixes: [{ kind: 'plan', id: 'p', document: {} }] })?.code).toBe(
      'story.comment',
    );
  });
});
