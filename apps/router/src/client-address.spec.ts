import { ClientAddresses } from './client-address.js';

describe('the address of the caller', () => {
  const addresses = new ClientAddresses(['10.0.0.0/8', '192.168.1.7', 'fd00::/8']);

  it.each([
    ['a stranger', '203.0.113.5', '6.6.6.6', '203.0.113.5'],
    ['a trusted proxy of a block', '10.2.3.4', '203.0.113.5', '203.0.113.5, 10.2.3.4'],
    ['a trusted proxy on a socket of IPv6', '::ffff:192.168.1.7', '203.0.113.5', '203.0.113.5, 192.168.1.7'],
    ['a trusted proxy of IPv6', 'fd12::1', '203.0.113.5', '203.0.113.5, fd12::1'],
    ['a trusted proxy that says nothing', '10.2.3.4', undefined, '10.2.3.4'],
    ['a trusted proxy that writes ports', '10.2.3.4', '203.0.113.5:49152', '203.0.113.5, 10.2.3.4'],
    ['an address beside the trusted one', '192.168.1.8', '6.6.6.6', '192.168.1.8'],
  ])('of %s', (_who, peer, said, expected) => {
    expect(addresses.forwardedFor(peer, said)).toBe(expected);
  });

  it.each([
    ['a stranger who names another', '203.0.113.5', '6.6.6.6', '203.0.113.5'],
    ['the caller of a trusted proxy', '10.2.3.4', '6.6.6.6, 203.0.113.5', '203.0.113.5'],
    ['the caller of two trusted proxies', '10.2.3.4', '6.6.6.6, 203.0.113.5,10.9.9.9', '203.0.113.5'],
    ['a trusted proxy that writes the port', '10.2.3.4', '6.6.6.6:1, 203.0.113.5:49152', '203.0.113.5'],
    ['a trusted proxy that writes the port of IPv6', '10.2.3.4', '[2001:db8:1:2:3::4]:49152', '2001:db8:1:2'],
    ['two trusted proxies that write ports', '10.2.3.4', '203.0.113.5:49152, 10.9.9.9:443', '203.0.113.5'],
    ['a trusted proxy that names none', '10.2.3.4', '6.6.6.6, unknown', '10.2.3.4'],
    ['a trusted proxy that says nothing', '::ffff:10.2.3.4', '', '10.2.3.4'],
    ['a caller of IPv6, by its network', '10.2.3.4', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['a caller of IPv6, written short', '2001:db8::7', '', '2001:db8:0:0'],
    ['a connection that has ended', '', '6.6.6.6', ''],
  ])('as a client, of %s', (_who, peer, said, expected) => {
    expect(addresses.clientOf(peer, said)).toBe(expected);
  });

  it('is no proxy once the connection has ended', () => {
    expect(addresses.trusts('')).toBe(false);
  });
});
