import type { Channel } from './delivery.ports.js';
import { ChannelRegistry } from './channel-registry.js';

const channel = (name: string, overrides: Partial<Channel> = {}): Channel => ({
  name,
  title: name,
  address: /^[A-Z]+$/,
  chosen: false,
  edits: false,
  destinations: () => Promise.resolve([]),
  reached: () => Promise.resolve([]),
  prepare: () => Promise.resolve({ kind: 'delivered' }),
  ...overrides,
});

describe('the channels', () => {
  const pager = channel('pager', {
    chosen: true,
    named: { form: 'a P', accepts: (address) => address.startsWith('P'), test: () => Promise.resolve(null) },
  });
  const channels = new ChannelRegistry([channel('slack'), pager]);

  it('are found by a destination, of which each knows its own addresses', () => {
    expect(channels.read('pager:PAGE:subject')).toEqual({
      channel: pager,
      to: { channel: 'pager', address: 'PAGE', showing: 'subject' },
    });
    expect(() => channels.read('pager:page:subject')).toThrow('a destination of no channel');
    expect(() => channels.read('telex:PAGE:subject')).toThrow('a destination of no channel');
  });

  it('say whether a document names their addresses, and whether people choose them', () => {
    expect(channels.naming('PAGE')).toBe(pager);
    expect(channels.naming('C0PROD')).toBeUndefined();
    // It would be stored, and never delivered.
    expect(channels.naming('Page')).toBeUndefined();
    expect(channels.addressForms).toEqual(['a P']);
    expect(channels.chosen).toEqual(['pager']);
  });

  it('have names of their own', () => {
    expect(() => new ChannelRegistry([pager, pager])).toThrow('two channels share a name');
  });

  it.each(['ms-teams', 'Pager', 'p2', '', 'p'.repeat(21)])('have names that can be stored, unlike "%s"', (name) => {
    expect(() => new ChannelRegistry([channel(name)])).toThrow(`the channel "${name}" cannot be stored`);
  });
});
