import { readSettings, settingNames } from './executor-settings.js';

const QUEUE: Parameters<typeof settingNames>[0] = {
  kind: 'queue',
  title: 'a queue that workers read',
  answered_by: 'executor',
  settings: {
    properties: {
      url: { type: 'string', description: 'The address of the queue.' },
      max_length: { type: 'integer' },
      ratio: { type: 'number' },
      ordered: { type: 'boolean' },
    },
    required: ['url'],
  },
};
const NONE = { ...QUEUE, kind: 'none', settings: { properties: {}, required: [] } };

const read = (...given: string[]): ReturnType<typeof readSettings> => readSettings([QUEUE, NONE], 'queue', given);

describe('the settings of an executor on a command line', () => {
  it('are named and typed by the schema of its kind', () => {
    expect(settingNames(QUEUE)).toEqual(['url', '[max_length]', '[ratio]', '[ordered]']);
    expect(read('max_length=7', 'url=queue:jobs?a=b', 'ordered=true', 'ratio=-0.5')).toEqual({
      max_length: 7,
      url: 'queue:jobs?a=b',
      ordered: true,
      ratio: -0.5,
    });
    expect(read('url=queue:jobs', 'ordered=false')).toEqual({ url: 'queue:jobs', ordered: false });
    expect(readSettings([QUEUE, NONE], 'none', [])).toEqual({});
  });

  const of = 'of an executor of kind queue';
  it.each<[string, string[], string]>([
    ['a setting that the kind does not have', ['address=x'], 'An executor of kind queue has no setting address.'],
    ['a missing setting', ['ordered=true'], 'An executor of kind queue needs the setting url.'],
    ['a setting without a value', ['url'], `The setting url ${of} has no value.`],
    ['text for a number', ['ratio=x'], `The setting ratio ${of} is a number, and not "x".`],
    ['an empty number', ['ratio='], `The setting ratio ${of} is a number, and not "".`],
    ['a fraction', ['max_length=1.5'], `The setting max_length ${of} is a whole number, and not "1.5".`],
    ['another word for a boolean', ['ordered=yes'], `The setting ordered ${of} is true or false, and not "yes".`],
  ])('are refused with kind and name: %s', (_what, given, message) => {
    expect(() => read(...given)).toThrow(
      expect.objectContaining({
        message,
        code: 'executor.settings',
        action: 'Correct the settings; `countersign executor kinds` lists the kinds and the settings of each.',
        details: [
          '--set url=…: The address of the queue.',
          '--set max_length=… (optional)',
          '--set ratio=… (optional)',
          '--set ordered=… (optional)',
        ],
      }) as Error,
    );
  });

  it('are refused for a kind that does not exist, or has none', () => {
    expect(() => readSettings([QUEUE, NONE], 'ftp', [])).toThrow(
      expect.objectContaining({
        message: 'There is no kind of executor ftp.',
        details: ['kinds: queue, none'],
      }) as Error,
    );
    expect(() => readSettings([NONE], 'none', ['url=x'])).toThrow(
      expect.objectContaining({ details: ['kind none has no settings'] }) as Error,
    );
  });
});
