import type { PersonId } from '#lib/kernel';
import { loosenedRoutes, type SlackRoutes } from './loosened-routes.js';

const [ada, ben] = ['ada', 'ben'] as PersonId[] as [PersonId, PersonId];
const routes = (channels: Record<string, string>, ...onDuty: PersonId[]): SlackRoutes => ({ channels, onDuty });
const loosened = (before: SlackRoutes, after: SlackRoutes) => loosenedRoutes(before, after, (id) => id.toUpperCase());

describe('T44: the loosenings of a change of the Slack routes', () => {
  it.each([
    ['the first channels', routes({}), routes({ production: 'C1', '': 'C2' })],
    ['a first channel beside none', routes({ staging: 'C1' }), routes({ staging: 'C1', production: 'C2' })],
    ['one more on duty', routes({ production: 'C1' }, ada), routes({ production: 'C1' }, ada, ben)],
    ['the first on duty, without a channel', routes({}), routes({}, ada)],
    ['the same again', routes({ production: 'C1' }, ada), routes({ production: 'C1' }, ada)],
    ['its own channel, which it had from the rest', routes({ '': 'C1' }), routes({ '': 'C1', production: 'C1' })],
  ])('finds nothing in %s', (_name, before, after) => {
    expect(loosened(before, after)).toEqual([]);
  });

  it.each([
    ['another channel', routes({ p: 'C1' }), routes({ p: 'C2' }), ['the channel C1 no longer hears of p, C2 does']],
    ['no channel', routes({ p: 'C1' }), routes({}), ['the channel C1 no longer hears of p']],
    [
      'one that it takes from the rest',
      routes({ '': 'C1' }),
      routes({ '': 'C1', p: 'C2' }),
      ['the channel C1 no longer hears of p, C2 does'],
    ],
    [
      'the channel of the rest gone',
      routes({ '': 'C1', p: 'C2' }),
      routes({ p: 'C2' }),
      ['the channel C1 no longer hears of every other environment'],
    ],
    [
      'somebody off duty',
      routes({}, ada, ben),
      routes({}, ben),
      ['ADA is on duty no longer, and is told nothing directly'],
    ],
    [
      'somebody on duty in the place of channels',
      routes({ p: 'C1' }),
      routes({ p: 'C1' }, ada),
      ['channels are told nothing while somebody on duty is: ADA'],
    ],
    [
      'an environment named like a member of every object',
      routes({ '': 'C1' }),
      routes({ '': 'C1', constructor: 'C2' }),
      ['the channel C1 no longer hears of constructor, C2 does'],
    ],
  ])('names %s', (_name, before, after, words) => {
    expect(loosened(before, after)).toEqual(words);
  });
});
