import { routingHintOf } from './routing-hint.js';

const ADA = '0190a000-0000-7000-8000-00000000000a';
const BEN = '0190a000-0000-7000-8000-00000000000b';

describe('routing hint', () => {
  it('is always the same for a tenant, since tokens live long', () => {
    expect(routingHintOf(ADA)).toBe('n7o8dRA8ZL');
  });

  it('differs between tenants, and shows nothing of the id', () => {
    expect(routingHintOf(BEN)).not.toBe(routingHintOf(ADA));
    expect(routingHintOf(ADA)).toMatch(/^[A-Za-z0-9_-]{10}$/);
  });
});
