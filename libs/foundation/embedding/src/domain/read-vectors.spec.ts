import { readVectors } from './read-vectors.js';

const listed = (...data: readonly (readonly [index: number, embedding: readonly unknown[]])[]): string =>
  JSON.stringify({ object: 'list', data: data.map(([index, embedding]) => ({ index, embedding })) });

describe('the vectors of an answer', () => {
  it('come in the order of the texts, each of length 1', () => {
    const [one, two] = readVectors(listed([1, [0, 5]], [0, [3, 4]]), 2, null);
    expect([...(one ?? [])].map((part) => part.toFixed(4))).toEqual(['0.6000', '0.8000']);
    expect([...(two ?? [])]).toEqual([0, 1]);
  });

  it.each([
    ['no JSON', '<html>'],
    ['no list', '{"data":{}}'],
    ['a text without a vector', listed([0, [1, 0]])],
    ['two vectors of one text', listed([0, [1, 0]], [0, [0, 1]])],
    ['a vector of no text', listed([0, [1, 0]], [2, [0, 1]])],
    ['more vectors than texts', listed([0, [1, 0]], [1, [0, 1]], [2, [1, 1]])],
    ['vectors of two lengths', listed([0, [1, 0]], [1, [0, 1, 0]])],
    ['a vector without a direction', listed([0, [1, 0]], [1, [0, 0]])],
    ['a number that is none', listed([0, [1, 0]], [1, ['NaN', 0]])],
    ['a number without bound', listed([0, [1, 0]], [1, [0, 1]]).replace('[0,1]', '[0,1e999]')],
  ])('are none if there is %s', (_what, body) => {
    expect(() => readVectors(body, 2, null)).toThrow(/^The answer makes no sense\. /);
  });

  it('have the length that was asked for', () => {
    expect(() => readVectors(listed([0, [1, 0]]), 1, 3)).toThrow('A vector has 2 dimensions, not 3.');
  });
});
