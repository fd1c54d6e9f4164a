import fc from 'fast-check';
import { isAllowedPrivateHost, isPublicAddress, privateHostsOf } from './address-policy.js';

describe('T31: which addresses Countersign connects to', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'this host'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'cloud metadata'],
    ['168.63.129.16', 'the host of Azure'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['192.0.2.1', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['::ffff:127.0.0.1', 'loopback, mapped'],
    ['::ffff:169.254.169.254', 'metadata, mapped'],
    ['::ffff:168.63.129.16', 'the host of Azure, mapped'],
    ['fe80::1', 'link-local'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'metadata over IPv6'],
    ['64:ff9b::7f00:1', 'loopback behind NAT64'],
    ['2002:7f00:1::', 'loopback behind 6to4'],
    ['::7f00:1', 'loopback, IPv4-compatible'],
    ['64:ff9b:1::7f00:1', 'loopback behind a local NAT64'],
    ['fec0::1', 'site-local'],
    ['4000::1', 'not given out'],
    ['2001:db8::1', 'documentation'],
    ['ff02::1', 'multicast'],
    ['not an address', 'no address'],
    ['', 'no address'],
  ])('refuses %s (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111'])('allows %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('refuses every IPv4 address of the private and link-local blocks, mapped into IPv6 or not', () => {
    const block = fc.constantFrom([10], [127], [192, 168], [169, 254]);
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(block, fc.tuple(octet, octet, octet), (prefix, rest) => {
        const address = [...prefix, ...rest].slice(0, 4).join('.');
        return !isPublicAddress(address) && !isPublicAddress(`::ffff:${address}`);
      }),
    );
  });

  it('lets the operator allow a host, or one port of it', () => {
    expect(isAllowedPrivateHost(['fleet.internal'], 'Fleet.Internal', 8443)).toBe(true);
    expect(isAllowedPrivateHost(['127.0.0.1:9001'], '127.0.0.1', 9001)).toBe(true);
    expect(isAllowedPrivateHost(['127.0.0.1:9001'], '127.0.0.1', 9002)).toBe(false);
    expect(isAllowedPrivateHost([], '127.0.0.1', 9001)).toBe(false);
  });

  it('lets the operator allow a host for one tenant alone', () => {
    const allowed = ['acme=10.0.0.5:8443', 'globex=10.0.0.6', 'shared.internal', 'acme=fd00::5'];
    expect(privateHostsOf(allowed, 'acme')).toEqual(['10.0.0.5:8443', 'shared.internal', 'fd00::5']);
    expect(privateHostsOf(allowed, 'globex')).toEqual(['10.0.0.6', 'shared.internal']);
    expect(privateHostsOf(allowed, 'acm')).toEqual(['shared.internal']);
    expect(privateHostsOf(allowed, null)).toEqual(['shared.internal']);
  });
});
