import { fillArguments, placeholdersIn } from './fill-arguments.js';

it('T33: an input fills a whole value of its own type, and is spliced into nothing', () => {
  const given = {
    service: '{{inputs.service}}',
    list: ['{{inputs.count}}', 'as it is'],
    deep: { really: '{{inputs.really}}' },
    text: 'restart {{inputs.service}} now',
    '{{inputs.service}}': 1,
  };
  const values = { service: '{{inputs.count}}', count: 3, really: true };
  expect(fillArguments(given, values)).toEqual({
    service: '{{inputs.count}}',
    list: [3, 'as it is'],
    deep: { really: true },
    text: 'restart {{inputs.service}} now',
    '{{inputs.service}}': 1,
  });
  expect(() => fillArguments({ service: '{{inputs.constructor}}' }, values)).toThrow('no value of the input');
});

it('placeholders are found with their pointers', () => {
  const given = { 'a/b': ['{{inputs.one}}'], text: 'x {{inputs.two}}', key: { $secret: '{{inputs.three}}' } };
  expect(placeholdersIn(given)).toEqual([
    { pointer: '/a~1b/0', input: 'one', inSecret: false },
    { pointer: '/text', input: null, inSecret: false },
    { pointer: '/key/$secret', input: 'three', inSecret: true },
  ]);
  expect(placeholdersIn({ '{{inputs.one}}': 1 })).toMatchObject([{ input: null }]);
});
