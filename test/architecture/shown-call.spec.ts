import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter, Route, Routes } from 'react-router';
import type { z } from 'zod';
import { requestDetailView, listedView, queuedView } from '../../apps/api/src/approval/approval-views.js';
import { requestLines } from '../../apps/cli/src/views/request-view.js';
import {
  approvalRequestDetailSchema,
  listedRequestSchema,
  queuedRequestSchema,
  type ApprovalRequestDetailView,
  type signedInBrowserSessionSchema,
} from '#lib/api-schemas';
import { requestMessage } from '../../libs/reach/delivery/src/domain/request-message.js';
import { requestContent } from '../../libs/reach/delivery/src/domain/request-content.js';
import { renderMail } from '../../libs/reach/delivery/src/channels/mail/render-mail.js';
import { renderRequest } from '../../libs/reach/slack/src/domain/render-request.js';
import { FakeApprovalWorld, valueOf } from '../../libs/stages/approval/src/application/fake-approval-world.js';
import { callRules } from '../../libs/stages/approval/src/application/fake-call.js';
import { digestOf } from '#lib/kernel';

// Both need a window, which is not there when a page is rendered to text.
jest.mock('../../apps/web/src/api/attendance.js', () => ({ isAttended: () => false }));
jest.mock('../../apps/web/src/components/use-now.js', () => ({ useNow: () => 0 }));

const PUBLIC_URL = 'https://countersign.example';
const AT = '2026-11-22T10:00:00.000Z';

/** Everything of a call that an approver decides on, each in words of its own. */
const SHOWN = [
  'restart_service',
  'version 7',
  'edge-fleet',
  'postgres-argument',
  'deep-argument',
  'web-target-99',
  'terminal-write-category',
  'Restarts postgres-impact.',
] as const;
const REASON = 'the database is slow, says the agent';

const world = new FakeApprovalWorld();
world.autonomy(callRules());
const reader = world.person('SRELead');

/** A call with all of it, as the page of the request and a message are told of it. @param hidden stands in each text of the agent. */
async function shown(hidden = '') {
  const request = await world.askedAboutCall({
    change: ({ call }) => ({
      call: {
        ...call,
        tool: { ...call.tool, version: 7 },
        executor: { name: 'edge-fleet', digest: digestOf('executor', {}) },
        arguments: { service: `postgres-argument${hidden}`, options: { level: ['deep-argument'] } },
        targets: [`web-target-99${hidden}`],
        category: 'terminal-write-category',
        impact: `Restarts postgres-impact.${hidden}`,
        reason: `${REASON}${hidden}`,
      },
    }),
  });
  const detail = valueOf(await world.reading.get(reader, request.id));
  const told = valueOf(await world.telling.execute(reader, request.id));
  const [listed] = await world.reading.list(reader, {}, { limit: 1, after: null });
  if (listed === undefined) throw new Error('it is listed');
  return { view: requestDetailView(detail, null, null), told, listed };
}

// Required, not imported: tests are compiled without the types of a browser.
const { Component: RequestPage } = jest.requireActual<{ readonly Component: FunctionComponent }>(
  '../../apps/web/src/request/request-page.js',
);

function page(view: ApprovalRequestDetailView): string {
  const signedIn: z.infer<typeof signedInBrowserSessionSchema> = {
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
  client.setQueryData(['/v1/approval-requests/{id}', `/v1/approval-requests/${view.id}`], view);
  client.setQueryData(['/v1/browser-sessions/current', '/v1/browser-sessions/current'], signedIn);
  const routes = createElement(
    Routes,
    null,
    createElement(Route, { path: '/requests/:id', element: createElement(RequestPage) }),
  );
  const router = createElement(MemoryRouter, { initialEntries: [`/requests/${view.id}`] }, routes);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, router));
}

type ShownCall = Awaited<ReturnType<typeof shown>>;
const messageOf = ({ told }: ShownCall) =>
  requestMessage(told, {
    requesterName: 'drift-bot',
    onBehalfOfName: null,
    earlierApprovals: [],
    run: null,
    past: null,
  });

const SURFACES: Readonly<Record<string, (told: ShownCall) => string>> = {
  page: ({ view }) => page(view),
  'command line': ({ view }) => requestLines(view, 'drift-bot').join('\n'),
  'Slack message': (told) =>
    JSON.stringify(renderRequest(messageOf(told), PUBLIC_URL).withButtons((action) => action).blocks),
  mail: (told) => renderMail(requestContent(messageOf(told), PUBLIC_URL)).text,
};

describe('an approver sees the whole call that they answer', () => {
  let told: ShownCall;
  beforeAll(async () => {
    told = await shown();
  });

  describe.each(Object.keys(SURFACES))('%s', (name) => {
    const text = (): string => SURFACES[name]?.(told) ?? '';

    it.each(SHOWN)('T11: shows %s', (expected) => {
      expect(text()).toContain(expected);
    });

    it('T11: shows the words of the agent, after the label that they are not verified', () => {
      const [, after = ''] = text().split('not verified');
      expect(after).toContain(REASON);
    });
  });

  it.each(Object.keys(SURFACES))('T10: %s shows each hidden character of an agent by its name', async (name) => {
    const text = SURFACES[name]?.(await shown('\u202E')) ?? '';
    expect(text).not.toMatch(/\u202E|\\u202[eE]/);
    // Of the argument, the target, the effect and the agent's words.
    expect(text.split('U+202E').length - 1).toBeGreaterThanOrEqual(4);
  });

  it('has the answers that the API describes, in the detail, in lists and in the queue', () => {
    expect(approvalRequestDetailSchema.parse(told.view)).toEqual(told.view);
    const listed = listedView(told.listed, null);
    expect(listedRequestSchema.parse(listed)).toEqual(listed);
    const queued = queuedView(told.listed, null);
    expect(queuedRequestSchema.parse(queued)).toEqual(queued);
    expect(queued).toMatchObject({ call: { said_by_the_requester: { reason: REASON } } });
  });

  it('has no button in Slack that asks for changes, and none that starts a run', () => {
    const { blocks } = renderRequest(messageOf(told), PUBLIC_URL).withButtons((action) => action);
    const labels = blocks.flatMap((block) =>
      block.type === 'actions' ? block.elements.map(({ text }) => text.text) : [],
    );
    expect(labels).toEqual(['Approve', 'Reject', 'Open']);
  });
});
