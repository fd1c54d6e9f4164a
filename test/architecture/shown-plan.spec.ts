import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter, Route, Routes } from 'react-router';
import type { z } from 'zod';
import { WhatIsDone } from '../../apps/web/src/what-is-done/what-is-done.js';
import { CountFolds } from '../../apps/web/src/what-is-done/folds.js';
import { doneLines } from '../../apps/cli/src/views/calls-view.js';
import type { signedInBrowserSessionSchema, ApprovalRequestDetailView } from '#lib/api-schemas';
import { expandedPlanSchema, type ExpandedInvocation, type ExpandedPlan } from '#lib/formats';
import { renderMail } from '../../libs/reach/delivery/src/channels/mail/render-mail.js';
import { renderNotice } from '../../libs/reach/slack/src/domain/render-replies.js';
import { renderRequest } from '../../libs/reach/slack/src/domain/render-request.js';
import { noticeContent, type Notice, type PlanMessage } from '#lib/delivery';
import { describePlan } from '#lib/plan';
import { anotherValue, changedMember, schemaMembers } from '../support/schema-members.js';
import { requestContent } from '../../libs/reach/delivery/src/domain/request-content.js';

// Both need a window, which is not there when a page is rendered to text.
jest.mock('../../apps/web/src/api/attendance.js', () => ({ isAttended: () => false }));
jest.mock('../../apps/web/src/components/use-now.js', () => ({ useNow: () => 0 }));

const AT = '2026-11-22T10:00:00.000Z';
const PUBLIC_URL = 'https://countersign.example';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;

const invocation = (overrides: Partial<ExpandedInvocation> = {}): ExpandedInvocation => ({
  tool: { name: 'execute_rollout', version: 3, digest: digest('a') },
  executor: { name: 'fleet', digest: digest('b') },
  arguments: {
    image: 'web-2',
    targets: ['web-01', 'web-02'],
    command: 'ls | wc -l',
    secret: '.env',
    hook: '.git/hooks/a',
  },
  arguments_digest: digest('c'),
  targets: ['web-01', 'web-02'],
  shell: { argument: '/command', shell: 'bash', tier: 1, class: 'READ_ONLY', risk: 'read_only', tree: digest('f') },
  paths: { reads: ['/secret'], writes: ['/hook'], tier: 2, class: 'UNKNOWN', risk: 'state_change_prod' },
  ...overrides,
});

/** A plan with everything that a plan can have. */
const plan = (): ExpandedPlan => ({
  format: 'countersign.plan/v1',
  task_id: 'task',
  revision: 2,
  environment: { id: 'environment', name: 'production', digest: digest('d') },
  distinct_targets: ['web-01', 'web-02'],
  phases: [
    {
      index: 0,
      name: 'first',
      canary: true,
      wait_seconds: 3_000,
      rollback_if: 'web.error_rate > 0.25',
      batches: [
        {
          index: 0,
          targets: ['web-01', 'web-02'],
          calls: [
            {
              seq: 1,
              step_id: 'rollout',
              invocation: invocation(),
              on_failure: 'pause',
              compensate_with: invocation({
                arguments: {
                  image: 'web-1',
                  targets: ['web-01', 'web-02'],
                  command: 'pwd',
                  secret: '.ssh',
                  hook: '.mcp.json',
                },
              }),
            },
          ],
          health_checks: [
            {
              name: 'web',
              invocation: invocation({
                tool: { name: 'check_service', version: 1, digest: digest('e') },
                arguments: { service: 'web', command: 'pwd' },
                targets: ['web-01'],
              }),
            },
          ],
        },
      ],
    },
  ],
});

/**
 * Members that no page shows, each with the text that people read instead. Every page and message names the plan's own
 * digest, which covers them.
 */
const NOT_READ: ReadonlyMap<string, string> = new Map([
  ['format', 'it is the only one there is'],
  ['task_id', 'the page links to the task'],
  ['environment.id', 'its name'],
  ['environment.digest', 'its name'],
  ['tool.digest', 'the name and version of the tool'],
  ['executor.digest', 'the name of the executor'],
  ['arguments_digest', 'the arguments'],
  ['shell.tree', 'the command line'],
  ['health_checks.0.invocation.shell.risk', 'every check only reads'],
  ['health_checks.0.invocation.paths.tier', 'every check reads ordinary paths'],
  ['health_checks.0.invocation.paths.class', 'every check reads ordinary paths'],
  ['health_checks.0.invocation.paths.reads.0', 'the arguments'],
  ['health_checks.0.invocation.paths.writes.0', 'every check only reads'],
  ['paths.risk', 'the risk of the call, which that of a command line takes the place of'],
]);

const members = schemaMembers(expandedPlanSchema).map(({ path }) => path);
const isRead = (member: string): boolean => ![...NOT_READ.keys()].some((end) => `.${member}`.endsWith(`.${end}`));

/** The plan with one member that is another. */
const changed = (member: string): ExpandedPlan => changedMember(plan(), member, anotherValue);

const notice = (shown: ExpandedPlan): Notice => ({
  title: '',
  lines: [],
  words: null,
  url: PUBLIC_URL,
  done: describePlan(shown, {}),
});

/** A request as approvers are asked. */
const requestOf = (shown: ExpandedPlan): PlanMessage => ({
  type: 'plan',
  id: 'request',
  digest: digest('f'),
  state: 'open',
  closedReason: null,
  environment: { name: shown.environment.name, production: true },
  requester: { kind: 'agent', name: 'drift-bot', onBehalfOf: null },
  said: { goal: '', words: [] },
  description: describePlan(shown, {}),
  whatRuns: 'all',
  simulation: null,
  asked: [{ count: 1, roles: ['SRELead'], filled: 0 }],
  mfa: false,
  why: [],
  reviews: [],
  changesAsked: [],
  changedSince: null,
  start: { kind: 'on_approval' },
  deadline: null,
  past: null,
  run: null,
});

/** The request as Slack shows it. */
const request = (shown: ExpandedPlan) => {
  const { cut, withButtons } = renderRequest(requestOf(shown), PUBLIC_URL);
  const content = withButtons((action) => action);
  // The page shows a plan that does not fit: there is nothing to decide with in the message.
  if (cut) throw new Error('the plan of this test does not fit into a message');
  return content;
};

// Required, not imported: tests are compiled without the types of a browser.
const { Component: RequestPage } = jest.requireActual<{ readonly Component: FunctionComponent }>(
  '../../apps/web/src/request/request-page.js',
);

/** The page on which it is decided, as it is sent for a person who may. */
function requestPage(shown: ExpandedPlan): string {
  const view = {
    id: 'request',
    subject: { type: 'plan', id: 'plan', digest: digest('f'), task_id: 'task', simulation_id: null, phases: 'all' },
    state: 'open',
    closed_reason: null,
    claim: null,
    decision: {
      outcome: 'require_approval',
      reasons: [],
      obligations: { approvals: [], mfa: false, audit_level: 'full' },
      effective: { mode: 'full_auto', source: 'default' },
    },
    autonomy_line: null,
    decision_id: 'decision',
    requester: { kind: 'agent', id: 'agent', on_behalf_of: null },
    excluded: [],
    quorum: { complete: false, filled: [], open: [{ slot: 0, roles: ['SRELead'], count: 1 }] },
    start: 'on_approval',
    start_at: null,
    start_after: null,
    opened_at: AT,
    expires_at: AT,
    approval_expires_at: null,
    environment: { id: 'environment', name: shown.environment.name, production: true },
    revision: 1,
    said_by_the_requester: { goal: '', words: [] },
    description: describePlan(shown, {}),
    plan: shown,
    simulation: null,
    reviews: [],
    changes_asked: [],
    replaces: null,
    replaced_by: null,
    may_review: { outcome: 'allow', reasons: [], action: null, shares_vote_with: [] },
    ways_to_a_vote: null,
    could_approve: null,
    changed_since_opened: [],
    changes_since_my_review: null,
  } as unknown as ApprovalRequestDetailView;
  const reader: z.infer<typeof signedInBrowserSessionSchema> = {
    signed_in: true,
    person: { id: 'sam', display_name: 'Sam', email: 'sam@acme.example', roles: ['SRELead'] },
    tenant: { slug: 'acme', name: 'Acme' },
    csrf_token: '',
    expires_at: AT,
    signed_in_at: AT,
    signed_in_by: 'issuer',
    mfa: { totp: false, passkeys: 0 },
  };
  const client = new QueryClient();
  // The keys of the web UI's client: a path of the API, and the address that it comes to.
  client.setQueryData(['/v1/approval-requests/{id}', `/v1/approval-requests/${view.id}`], view);
  client.setQueryData(['/v1/browser-sessions/current', '/v1/browser-sessions/current'], reader);
  const routes = createElement(
    Routes,
    null,
    createElement(Route, { path: '/requests/:id', element: createElement(RequestPage) }),
  );
  const router = createElement(MemoryRouter, { initialEntries: [`/requests/${view.id}`] }, routes);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, router));
}

const SURFACES: Readonly<Record<string, (shown: ExpandedPlan) => string>> = {
  description: (shown) => JSON.stringify(describePlan(shown, {})),
  page: (shown) => {
    const description = describePlan(shown, {});
    return renderToStaticMarkup(
      createElement(CountFolds, null, description.headline, createElement(WhatIsDone, { description })),
    );
  },
  'request page': requestPage,
  'Slack request': (shown) => JSON.stringify(request(shown)),
  'Slack notice': (shown) =>
    `${describePlan(shown, {}).headline} ${JSON.stringify(renderNotice(notice(shown)).blocks)}`,
  'mail of a request': (shown) => JSON.stringify(renderMail(requestContent(requestOf(shown), PUBLIC_URL))),
  'mail of a notice': (shown) => {
    const mail = renderMail(noticeContent(notice(shown)));
    return `${describePlan(shown, {}).headline} ${mail.text} ${mail.html}`;
  },
  'command line': (shown) => `${describePlan(shown, {}).headline} ${doneLines(describePlan(shown, {})).join('\n')}`,
};

/** The file that draws the phases and calls of each. */
const DRAWN_BY: Readonly<Record<string, string>> = {
  description: 'libs/stages/plan/src/domain/describe-plan.ts',
  page: 'apps/web/src/what-is-done/what-is-done.tsx',
  'request page': 'apps/web/src/what-is-done/what-is-done.tsx',
  'Slack request': 'libs/reach/delivery/src/domain/what-is-done.ts',
  'Slack notice': 'libs/reach/delivery/src/domain/what-is-done.ts',
  'mail of a request': 'libs/reach/delivery/src/domain/what-is-done.ts',
  'mail of a notice': 'libs/reach/delivery/src/domain/what-is-done.ts',
  'command line': 'apps/cli/src/views/calls-view.ts',
};

describe('an approver sees the whole plan that they approve', () => {
  it('walks every member of an expanded plan', () => {
    expect(members).toEqual(
      expect.arrayContaining([
        'phases.0.wait_seconds',
        'phases.0.batches.0.calls.0.compensate_with.arguments',
        'phases.0.batches.0.health_checks.0.invocation.targets.0',
      ]),
    );
    expect(expandedPlanSchema.safeParse(plan()).success).toBe(true);
    for (const end of NOT_READ.keys()) expect(members.some((member) => `.${member}`.endsWith(`.${end}`))).toBe(true);
  });

  // The description is data, which the others draw.
  it.each(Object.keys(SURFACES).filter((name) => name !== 'description'))(
    'T10: names every letter from right to left in a part of a command line: %s',
    (name) => {
      const line = 'ls && \u05D0 \u05D1';
      const turned = JSON.parse(JSON.stringify(plan()).replaceAll('ls | wc -l', line)) as ExpandedPlan;
      const drawn = SURFACES[name]?.(turned);
      expect(drawn).toContain('U+05D0');
      expect(drawn).not.toMatch(/[\u05D0\u05D1]/);
    },
  );

  describe.each(Object.keys(SURFACES))('%s', (name) => {
    const render = SURFACES[name] ?? (() => '');
    let unchanged = '';
    beforeAll(() => {
      unchanged = render(plan());
    });

    it('says the same of the same plan', () => {
      expect(render(plan())).toBe(unchanged);
    });

    it.each(members.filter(isRead))('T11: shows %s', (member) => {
      const unshown =
        render(changed(member)) === unchanged ? `${DRAWN_BY[name] ?? name} does not show ${member}` : null;
      expect(unshown).toBeNull();
    });
  });
});
