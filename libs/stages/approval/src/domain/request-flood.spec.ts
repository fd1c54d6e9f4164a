import type { Principal } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FLOOD_WINDOW_MS, flooded, floodEnds, limitedRequester, MAX_REQUESTS } from './request-flood.js';

const times = (count: number, newest: number): number[] => Array.from({ length: count }, (_, index) => newest - index);

describe('a flood of approval requests (T09)', () => {
  it('is counted of an agent and of a token, and of no person in a browser or in Slack', () => {
    const { agent, owner, tenantId } = sampleTenant();
    expect(limitedRequester(agent)).toEqual({ kind: 'agent', id: agent.agentId });
    expect(limitedRequester(owner)).toEqual({ kind: 'person', id: owner.personId });
    expect(limitedRequester({ ...owner, credentialKind: 'browser_session' })).toBeNull();
    expect(limitedRequester({ ...owner, credentialKind: 'slack_link' })).toBeNull();
    expect(limitedRequester({ kind: 'system', tenantId } as Principal)).toBeNull();
  });

  it('begins beyond the limit of the window, and ends when the oldest request has left it', () => {
    expect(floodEnds(times(MAX_REQUESTS - 1, 1_000_000), 1_000_000)).toBeNull();
    const full = times(MAX_REQUESTS, 1_000_000);
    const until = 1_000_000 - (MAX_REQUESTS - 1) + FLOOD_WINDOW_MS;
    expect(floodEnds(full, 1_000_000)).toBe(until);
    expect(floodEnds(full, until - 1)).toBe(until);
    expect(floodEnds(full, until)).toBeNull();
  });

  it('is refused with the limit and the wait in seconds, at least one', () => {
    expect(flooded(2_500, 1_000)).toMatchObject({
      code: 'approval.flood',
      retryAfterSeconds: 2,
      details: { limit: 60, window_seconds: 600 },
    });
    expect(flooded(1_000, 1_000).retryAfterSeconds).toBe(1);
  });
});
