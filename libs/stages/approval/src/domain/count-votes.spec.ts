import { newId, type PersonId } from '#lib/kernel';
import type { Approver } from './match-quorum.js';
import { countVotes, shortageInWords } from './count-votes.js';

const [ada, sam, mia] = [newId<PersonId>(), newId<PersonId>(), newId<PersonId>()];
const able = (personId: PersonId, roles: string[], sharedWith: PersonId[] = []): Approver => ({
  personId,
  roles,
  delegatedBy: null,
  sharedWith,
});
const two = [{ count: 2, roles: ['SRELead', 'PlatformAdmin'] }];
const names = { what: 'this request', people: ['Sam'], barred: [], barredByVote: false, withoutFactor: [] };

describe('who could approve', () => {
  it('is enough if distinct votes fill every slot', () => {
    const found = countVotes(two, [], [able(ada, ['PlatformAdmin']), able(sam, ['SRELead'])]);
    expect(found).toMatchObject({ enough: true, missing: [], people: [ada, sam] });
    expect(shortageInWords(found, names)).toBeNull();
  });

  it('tells five names and the number of others, and people without a second factor', () => {
    const found = countVotes(two, [], []);
    const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    expect(shortageInWords(found, { ...names, people: many })).toContain('only A, B, C, D, E and 2 more could');
    expect(shortageInWords(found, { ...names, people: many.slice(0, 5) })).toContain('only A, B, C, D and E could');
    expect(shortageInWords(found, { ...names, withoutFactor: ['Mia'] })).toContain('Mia could with a second factor.');
    expect(shortageInWords(found, { ...names, people: [] })).toBe(
      'Too few people could approve this request: it takes 2 of SRELead or PlatformAdmin, and nobody could give it. Invite another person and give them one of these roles, or give the agent another owner.',
    );
  });

  it('counts people of one hand as one vote', () => {
    const found = countVotes(two, [], [able(ada, ['PlatformAdmin']), able(mia, ['SRELead'], [ada])]);
    expect(found).toMatchObject({ enough: false, missing: [{ count: 1 }], shared: true });
    const words = shortageInWords(found, names);
    expect(words).toContain('People who came in by one hand share one vote.');
    for (const way of ['issuer', 'invitation', 'vouches', 'countersign bootstrap --person'])
      expect(words).toContain(way);
  });

  it('counts who shares a vote with somebody who has approved', () => {
    const found = countVotes(two, [able(ada, ['PlatformAdmin'])], [able(mia, ['SRELead'], [ada])]);
    expect(found).toMatchObject({ enough: false, shared: true });
  });

  it('says nothing of shared votes if more people hold one role than its slot needs', () => {
    const needed = [
      { count: 1, roles: ['SRELead'] },
      { count: 1, roles: ['SecurityReviewer'] },
    ];
    const found = countVotes(needed, [], [able(ada, ['SRELead']), able(sam, ['SRELead']), able(mia, ['SRELead'])]);
    expect(found).toMatchObject({ enough: false, shared: false });
    expect(shortageInWords(found, names)).not.toContain('vote');
  });

  it('names the ways to a vote if a shared one bars somebody', () => {
    const found = countVotes(two, [], [able(sam, ['SRELead'])]);
    const words = shortageInWords(found, { ...names, barred: ['Ada'], barredByVote: true });
    expect(words).toMatch(/an admin of another hand vouches for them/);
  });

  it('counts the approvals given, and leaves their authors out of the names', () => {
    const given = able(ada, ['PlatformAdmin']);
    const found = countVotes(two, [given], [given, able(sam, ['SRELead'])]);
    expect(found).toMatchObject({ enough: true, people: [sam] });
  });

  it('lists more than two names with commas', () => {
    const words = shortageInWords(countVotes(two, [], []), { ...names, barred: ['Ada', 'Ben', 'Mia'] });
    expect(words).toContain('Ada, Ben and Mia may not review it');
  });

  it('says how many people it takes, names the able and the barred, and gives the next step', () => {
    const found = countVotes(two, [], [able(sam, ['SRELead'])]);
    expect(shortageInWords(found, { ...names, barred: ['Ada'], withoutFactor: ['Mia'] })).toBe(
      'Too few people could approve this request: it takes 2 of SRELead or PlatformAdmin, and only Sam could. ' +
        'Ada may not review it: they submitted it, answer for its agent, or share a vote with somebody who does. ' +
        'Mia could with a second factor. ' +
        'Invite another person and give them one of these roles, or give the agent another owner.',
    );
    const nobody = countVotes(two, [], []);
    expect(shortageInWords(nobody, { ...names, people: [] })).toContain('and nobody could give it.');
  });
});
