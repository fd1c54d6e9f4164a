import fc from 'fast-check';
import { reminderContent, type CallMessage, type PlanMessage, type RequestMessage } from '#lib/delivery';
import { SLACK_LIMITS, type Block } from './block-kit.js';
import { callMessage, done, message, phase } from '../../../delivery/src/domain/fake-request-message.js';
import { renderShort } from './render-replies.js';
import { renderRequest } from './render-request.js';
import { anyText } from '../../../../../test/arbitraries/any-text.js';

const rendered = (request: RequestMessage) => {
  const { cut, withButtons } = renderRequest(request, 'https://countersign.example');
  return { cut, ...withButtons((action) => `value of ${action}`) };
};

const read = (blocks: readonly Block[]): string => JSON.stringify(blocks);
const labels = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block) => (block.type === 'actions' ? block.elements.map(({ text }) => text.text) : []));

describe('a request as a Slack message', () => {
  it('names the facts that each reviewer is known by, inert, as the pages do', () => {
    const reviews = [{ ...message().reviews[0], knownBy: ['signed in at A\u202ecme', 'two', 'three', 'four'] }];
    const text = read(rendered(message({ reviews } as Partial<PlanMessage>)).blocks);
    expect(text).toContain('signed in at A⟦U+202E⟧cme; two; three');
    expect(text).not.toContain('four');
  });

  it('makes a plan over a hundred targets readable: one line for equal calls', () => {
    const { blocks, cut } = rendered(message());
    const text = read(blocks);
    expect(cut).toBe(false);
    expect(text).toContain('web-001 … web-040 (40)');
    expect(text).toContain('wait 50 min');
    expect(text).toContain('\\"web-2026-11\\"');
    expect(text.length).toBeLessThan(7_000);
  });

  it.each<[string, Partial<PlanMessage>, readonly string[]]>([
    ['started by hand', {}, ['Approve', 'Approve and start', 'Reject', 'Request changes', 'Open']],
    [
      'that starts on approval',
      { start: { kind: 'on_approval' } },
      ['Approve and start', 'Reject', 'Request changes', 'Open'],
    ],
    [
      'that starts on approval, and asks somebody else too',
      { start: { kind: 'on_approval' }, asked: [{ count: 2, roles: ['SRELead'], filled: 0 }] },
      ['Approve', 'Reject', 'Request changes', 'Open'],
    ],
    ['that starts at a time', { start: { kind: 'at', at: 1 } }, ['Approve', 'Reject', 'Request changes', 'Open']],
    [
      'that obliges to a second factor',
      { mfa: true },
      ['Approve with second factor', 'Reject', 'Request changes', 'Open'],
    ],
    ['that is decided', { state: 'approved' }, ['Open']],
    [
      'that does not fit',
      {
        description: done(
          Array.from({ length: 40 }, (_, index) => phase({ name: `${'p'.repeat(300)}${String(index)}` })),
        ),
      },
      ['Open'],
    ],
  ])('has the buttons of one %s', (_what, overrides, expected) => {
    expect(labels(rendered(message(overrides)).blocks)).toEqual(expected);
  });

  it.each<[string, Partial<CallMessage>, readonly string[]]>([
    ['that only its session asks about', {}, ['approve', 'always', 'reject_call', 'open']],
    ['that holds for itself alone', { always: null }, ['approve', 'reject_call', 'open']],
    ['that takes a word', { always: null, confirmWord: 'CONFIRM' }, ['confirm', 'reject_call', 'open']],
    ['that obliges to a second factor', { mfa: true }, ['step_up', 'reject_call', 'open']],
    ['that is decided', { state: 'denied' }, ['open']],
    ['that does not fit', { call: { ...callMessage().call, arguments: { command: 'x'.repeat(20_000) } } }, ['open']],
  ])('has the buttons of a call %s', (_what, overrides, expected) => {
    const { blocks } = rendered(callMessage(overrides));
    const actions = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
    expect(actions.map(({ action_id: id }) => id)).toEqual(expected.map((action) => `countersign.${action}`));
    for (const { action_id: id, value } of actions)
      if (value !== undefined) expect(`countersign.${value.replace('value of ', '')}`).toBe(id);
  });

  it('shows the past of an open request in one line', () => {
    const past = 'Asked once before: 1 rolled back.';
    expect(read(rendered(message({ past })).blocks)).toContain(past);
    expect(read(rendered(message({ past, state: 'denied' })).blocks)).not.toContain(past);
  });

  it('shows the later calls that an "always" would cover', () => {
    const text = read(rendered(callMessage()).blocks);
    expect(text).toContain('later calls of this tool in this session with the same values here');
    expect(text).toContain('fetch origin');
  });

  it('attributes no words of an agent to the person who asked', () => {
    const asked = (kind: 'agent' | 'person') =>
      read(rendered(message({ requester: { kind, name: 'Olga', onBehalfOf: null } })).blocks);
    expect(asked('agent')).toContain('Written by Olga; not verified.');
    expect(asked('person')).toContain('Written by the submitter; not verified.');
  });

  it('shows the risk of the plan before anything else, and that of the simulation as predicted', () => {
    const text = read(rendered(message()).blocks);
    expect(text).toContain('CRITICAL RISK');
    expect(text).not.toContain('production (production)');
    expect(text).not.toContain('state_change_prod');
    expect(text).toContain('Risk as predicted by simulate_rollout: medium.');
  });

  it.each([
    ['half_time', 'Half of its time is over.'],
    ['near_end', 'Its time is almost over.'],
    ['escalated', 'Nobody has decided, so it is escalated'],
  ])('says why it reminds of itself: %s', (which, why) => {
    const { text, blocks } = renderShort('1', reminderContent(message(), which, 'https://countersign.example.com'));
    expect(text).toMatch(/^Still to be decided: /);
    expect(read(blocks)).toContain(why);
  });

  it('leads to the step-up page if a second factor is obliged, and takes no code', () => {
    const text = read(rendered(message({ mfa: true })).blocks);
    expect(text).toContain('/requests/01a20000-0000-7000-8000-000000000001?review=approve');
    expect(text).not.toContain('value of approve');
  });

  it('stays within Slack’s limits and loses no word silently, for any words', () => {
    const words = anyText({ maxLength: 4_000 });
    const name = anyText({ minLength: 1, maxLength: 200 });
    const some = fc.record({
      said: fc.record({ goal: words, words: fc.array(words, { maxLength: 2 }) }),
      environment: fc.record({ name, production: fc.boolean() }),
      why: fc.array(words, { maxLength: 5 }),
      description: fc
        .array(
          name.map((each) => phase({ name: each, steps: [] })),
          { maxLength: 60 },
        )
        .map(done),
      reviews: fc.array(
        fc.record({
          person: name,
          knownBy: fc.array(words, { maxLength: 3 }),
          verdict: fc.constant('approve' as const),
          comment: words,
          method: fc.constantFrom(null, 'totp' as const),
        }),
        {
          maxLength: 5,
        },
      ),
    });
    fc.assert(
      fc.property(some, (overrides) => {
        const found = rendered(message(overrides));
        expect(found.blocks.length).toBeLessThanOrEqual(SLACK_LIMITS.blocks);
        expect(found.text.length).toBeLessThanOrEqual(SLACK_LIMITS.text);
        expect(found.text).not.toMatch(/[<>]/);
        for (const block of found.blocks) {
          if (block.type === 'header') expect(block.text.text.length).toBeLessThanOrEqual(SLACK_LIMITS.headerText);
          if (block.type !== 'rich_text') continue;
          expect(JSON.stringify(block)).not.toContain('"text":""');
        }
        expect(found.cut).toBe(!labels(found.blocks).includes('Approve'));
      }),
      { numRuns: 60 },
    );
  });
});
