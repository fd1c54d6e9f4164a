import { destinationNamed, type AddressCheck } from './destination.js';
import { silencedInWords } from './silenced.js';

const taken = (address: string): [string, AddressCheck] => [
  address,
  { address, checkedAt: 5, answeredAt: 5, error: null, outdated: false },
];
const destinations = {
  'security-team': ['C1'],
  board: ['C1', 'board@example.com'],
  leads: ['leads@example.com'],
  managers: ['C1', 'managers@example.com'],
};
const named = Object.keys(destinations).map((name) =>
  destinationNamed(name, destinations, new Map([taken('board@example.com')]), (address) =>
    address.includes('@') ? 'email' : 'slack',
  ),
);

describe('the text about destinations that go silent without Slack', () => {
  it('names each destination with a channel and without another address that answers', () => {
    expect(silencedInWords(named, 'slack', [])).toEqual([
      'No message about an incident or an overdue review reaches managers and security-team.',
      'Add an address outside Slack, such as a mail address, to each under Settings, Incidents.',
    ]);
  });

  it('names the destinations of break-glass', () => {
    expect(silencedInWords(named, 'slack', ['board', 'leads', 'managers'])).toContain(
      'Break-glass notifies managers, and reaches nobody there. It still works, and PlatformAdmins and SecurityReviewers are notified as people.',
    );
  });

  it('is empty if every destination has an address that answers', () => {
    expect(silencedInWords(named.slice(1, 3), 'slack', ['board', 'leads'])).toEqual([]);
  });
});
