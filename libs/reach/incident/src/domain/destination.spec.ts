import { destinationNamed, type AddressCheck } from './destination.js';

const check = (address: string, error: string | null): [string, AddressCheck] => [
  address,
  { address, checkedAt: 5, answeredAt: error === null ? 5 : 3, error, outdated: false },
];

const channelOf = (address: string): string => (address.includes('@') ? 'email' : 'slack');
const destinations = { 'security-team': ['C1', 's@example.com'] };
const reach = (...checks: readonly [string, AddressCheck][]): string =>
  destinationNamed('security-team', destinations, new Map(checks), channelOf).reach;

describe('a destination', () => {
  it('is unmapped without an address, even under the name of an object member', () => {
    expect(destinationNamed('managers', destinations, new Map(), channelOf).reach).toBe('unmapped');
    expect(destinationNamed('constructor', destinations, new Map(), channelOf).reach).toBe('unmapped');
  });

  it('answers if one address took the last test message', () => {
    expect(reach(check('C1', null))).toBe('answers');
    expect(reach(check('C1', 'channel_not_found'), check('s@example.com', null))).toBe('answers');
  });

  it('is silent if none did, even if one did earlier, and untested if none was sent', () => {
    expect(reach(check('C1', 'channel_not_found'))).toBe('silent');
    expect(reach()).toBe('untested');
    expect(reach(check('C9', null))).toBe('untested');
  });
});
