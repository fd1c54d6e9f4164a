import type { ApprovalRequestView } from '#lib/api-schemas';
import { requestTable } from './request-view.js';

/** A request that one approval of an SRELead is missing to. */
const request = (state: ApprovalRequestView['state']): ApprovalRequestView =>
  // The members that the table shows.
  ({
    id: 'R1',
    state,
    subject: { type: 'plan', phases: 'all' },
    risk: 'low',
    quorum: { open: [{ count: 1, roles: ['SRELead'] }] },
    seconds_left: null,
    headline: 'restart on web-01',
  }) as unknown as ApprovalRequestView;

describe('the table of requests', () => {
  it('says what an open request still needs, and nothing of a closed one', () => {
    const [, open, closed] = requestTable([request('open'), request('denied')]);
    expect(open).toContain('1 approval by SRELead');
    expect(closed).not.toContain('SRELead');
  });
});
