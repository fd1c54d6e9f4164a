import { addressesAlone, forwardedAddress } from './forwarded-for.js';

describe('an entry of X-Forwarded-For', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    [' 203.0.113.5 ', '203.0.113.5'],
    ['203.0.113.5:49152', '203.0.113.5'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:49152', '2001:db8::7'],
    // A group of the address, and no port.
    ['2001:db8::7:4915', '2001:db8::7:4915'],
    ['unknown', null],
    ['_hidden:1', null],
    ['proxy.example:80', null],
    ['203.0.113.5:', null],
    ['203.0.113.5:123456', null],
    ['203.0.113.256:80', null],
    ['[203.0.113.5]:80', null],
    ['[2001:db8::7', null],
    ['', null],
  ])('%j names %j', (entry, address) => {
    expect(forwardedAddress(entry)).toBe(address);
  });

  it('is written without its port, and else as it is', () => {
    expect(addressesAlone('203.0.113.5:49152,unknown,  [2001:db8::7]:1')).toBe('203.0.113.5, unknown, 2001:db8::7');
  });
});
