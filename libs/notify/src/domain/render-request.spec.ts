import fc from 'fast-check';
import { SLACK_LIMITS, type Block } from './block-kit.js';
import { renderMail } from './render-mail.js';
import { renderReminder, renderRequest, type RequestButtons } from './render-request.js';
import type { PhaseShown, RequestMessage } from './request-message.js';

const buttons: RequestButtons = { publicUrl: 'https://countersign.example', value: (action) => `value of ${action}` };

const phase = (overrides: Partial<PhaseShown> = {}): PhaseShown => ({
  name: 'canary',
  canary: true,
  batches: [5, 5, 2],
  waitSeconds: 30,
  rollbackIf: 'web.error_rate > 0.05',
  healthChecks: ['web'],
  groups: [
    {
      stepId: 'rollout',
      tool: 'execute_rollout_prod',
      toolVersion: 1,
      executor: 'fleet',
      onFailure: 'rollback',
      undoneBy: null,
      calls: 100,
      targets: Array.from({ length: 100 }, (_, index) => `web-${String(index + 1).padStart(3, '0')}`),
      shared: [['image', '"web-2026-11"']],
      differences: [],
    },
  ],
  ...overrides,
});

const message = (overrides: Partial<RequestMessage> = {}): RequestMessage => ({
  id: '01a20000-0000-7000-8000-000000000001',
  planId: '01a20000-0000-7000-8000-000000000002',
  planDigest: `sha256:${'a'.repeat(64)}`,
  revision: 2,
  state: 'open',
  closedReason: null,
  environment: { name: 'production', production: true },
  requester: { kind: 'agent', name: 'drift-bot', onBehalfOf: 'Olga' },
  said: { goal: 'remediate drift', summary: null },
  tools: [{ name: 'execute_rollout_prod', version: 1, risk: 'state_change_prod', effect: 'modify', idempotent: false }],
  targets: ['web-001'],
  phases: [phase()],
  whatRuns: 'canary',
  simulation: { affected: 100, minutes: 94.4, risk: 'medium', points: ['error rate'] },
  asked: [{ count: 2, roles: ['SRELead'], filled: 1 }],
  mfa: false,
  why: ['production needs two people'],
  reviews: [{ person: 'Sam', verdict: 'approve', comment: 'canary first' }],
  changedSince: { people: ['Lea'], lines: ['canary / rollout /arguments/image: "a" → "b" (5 targets)'] },
  start: { kind: 'manual' },
  deadline: 1_800_000_000_000,
  run: null,
  ...overrides,
});

const read = (blocks: readonly Block[]): string => JSON.stringify(blocks);
const labels = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block) => (block.type === 'actions' ? block.elements.map(({ text }) => text.text) : []));

describe('a request as a Slack message', () => {
  it('makes a plan over a hundred targets readable: one line for what is the same', () => {
    const { blocks, cut } = renderRequest(message(), buttons);
    const text = read(blocks);
    expect(cut).toBe(false);
    expect(text).toContain('web-001 … web-100 (100)');
    expect(text).toContain(': 3 batches of 2 × 5 + 2 targets');
    expect(text.length).toBeLessThan(6_000);
  });

  it.each<[string, Partial<RequestMessage>, readonly string[]]>([
    ['started by hand', {}, ['Approve', 'Approve and start', 'Reject', 'Request changes', 'Open']],
    [
      'that starts on approval',
      { start: { kind: 'on_approval' } },
      ['Approve and start', 'Reject', 'Request changes', 'Open'],
    ],
    ['that starts at a time', { start: { kind: 'at', at: 1 } }, ['Approve', 'Reject', 'Request changes', 'Open']],
    [
      'that obliges to a second factor',
      { mfa: true },
      ['Approve with second factor', 'Reject', 'Request changes', 'Open'],
    ],
    ['that is decided', { state: 'granted' }, ['Open']],
    [
      'that does not fit',
      { phases: Array.from({ length: 40 }, (_, index) => phase({ name: `${'p'.repeat(300)}${String(index)}` })) },
      ['Open'],
    ],
  ])('has the buttons of one %s', (_what, overrides, expected) => {
    expect(labels(renderRequest(message(overrides), buttons).blocks)).toEqual(expected);
  });

  it('lays no words in the mouth of a person who asked about what an agent may have written', () => {
    const asked = (kind: 'agent' | 'person') =>
      read(renderRequest(message({ requester: { kind, name: 'Olga', onBehalfOf: null } }), buttons).blocks);
    expect(asked('agent')).toContain('In the agent’s own words');
    expect(asked('person')).toContain('In the words of whoever submitted it');
  });

  it.each([
    ['half_time', 'Half of its time is over.'],
    ['near_end', 'Its time is almost over.'],
    ['escalated', 'Nobody has decided, so it is escalated'],
  ])('says why it reminds of itself: %s', (which, why) => {
    const { text, blocks } = renderReminder(message(), which, 'https://countersign.example.com');
    expect(text).toMatch(/^Still to be decided: /);
    expect(read(blocks)).toContain(why);
  });

  it('leads to the step-up page where a second factor is obliged, and takes no code', () => {
    const text = read(renderRequest(message({ mfa: true }), buttons).blocks);
    expect(text).toContain('/requests/01a20000-0000-7000-8000-000000000001?review=approve');
    expect(text).not.toContain('value of approve');
  });

  it('stays within Slack’s limits and loses no word silently, whatever the words are', () => {
    const words = fc.string({ unit: 'binary', maxLength: 4_000 });
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
    const some = fc.record({
      said: fc.record({ goal: words, summary: fc.option(words) }),
      environment: fc.record({ name, production: fc.boolean() }),
      why: fc.array(words, { maxLength: 5 }),
      phases: fc.array(
        name.map((each) => phase({ name: each, groups: [] })),
        { maxLength: 60 },
      ),
      reviews: fc.array(fc.record({ person: name, verdict: fc.constant('approve' as const), comment: words }), {
        maxLength: 5,
      }),
    });
    fc.assert(
      fc.property(some, (overrides) => {
        const rendered = renderRequest(message(overrides), buttons);
        expect(rendered.blocks.length).toBeLessThanOrEqual(SLACK_LIMITS.blocks);
        expect(rendered.text.length).toBeLessThanOrEqual(SLACK_LIMITS.text);
        expect(rendered.text).not.toMatch(/[<>]/);
        for (const block of rendered.blocks) {
          if (block.type === 'header') expect(block.text.text.length).toBeLessThanOrEqual(SLACK_LIMITS.headerText);
          if (block.type !== 'rich_text') continue;
          expect(JSON.stringify(block)).not.toContain('"text":""');
        }
        expect(rendered.cut).toBe(!labels(rendered.blocks).includes('Approve'));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the same as a mail', () => {
  it('has a link, nothing that decides, and no markup of anybody’s', () => {
    const goal = '<img src=x onerror=alert(1)>\r\nBcc: everybody@example.com';
    const { subject, text, html } = renderMail(
      renderRequest(message({ said: { goal, summary: null } }), buttons),
      'https://countersign.example/requests/1',
    );
    expect(html).not.toContain('<img');
    expect(html).toContain('href="https://countersign.example/requests/1"');
    expect(text).not.toContain('Request changes');
    expect(subject).not.toMatch(/[\r\n]/);
  });
});
