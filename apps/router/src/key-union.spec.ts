import { MockAgent } from 'undici';
import { KeyUnion } from './key-union.js';

const cells = [
  { name: 'a', url: 'http://a.test', isDefault: true },
  { name: 'b', url: 'http://b.test', isDefault: false },
];
const HOUR_MS = 3_600_000;

describe('the union of key sets', () => {
  let agent: MockAgent;
  let now: number;
  let union: KeyUnion;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    now = 1_000;
    union = new KeyUnion(agent, () => now);
  });
  afterEach(() => agent.close());

  const answers = (url: string, body: unknown, status = 200): void => {
    agent.get(url).intercept({ path: '/.well-known/jwks.json' }).reply(status, JSON.stringify(body));
  };
  const kids = async (): Promise<readonly string[] | null> =>
    (await union.read(cells))?.keys.map(({ kid, x }) => `${kid}${typeof x === 'string' ? `=${x}` : ''}`) ?? null;

  it('asks each cell once in a while, and the first cell counts for a name that two give', async () => {
    answers('http://a.test', { keys: [{ kid: 'k1', x: 'a' }] });
    answers('http://b.test', { keys: [{ kid: 'k1', x: 'b' }, { kid: 'k2' }] });
    expect(await kids()).toEqual(['k1=a', 'k2']);
    now += 1_000;
    expect(await kids()).toEqual(['k1=a', 'k2']);
    now += 5_000;
    answers('http://a.test', { keys: [{ kid: 'k3' }] });
    answers('http://b.test', { keys: [] });
    expect(await kids()).toEqual(['k3']);
  });

  it.each([
    ['that answers with an error', 500, { keys: [] }],
    ['that answers with something else', 200, { keys: 'none' }],
  ])('keeps the keys of a cell %s for an hour', async (_how, status, body) => {
    answers('http://a.test', { keys: [{ kid: 'k1' }] });
    answers('http://b.test', { keys: [{ kid: 'k2' }] });
    await kids();
    for (const [later, expected] of [
      [HOUR_MS / 2, ['k1', 'k2']],
      [HOUR_MS, ['k1']],
    ] as const) {
      now = 1_000 + later;
      answers('http://a.test', { keys: [{ kid: 'k1' }] });
      answers('http://b.test', body, status);
      expect(await kids()).toEqual(expected);
    }
  });

  it('is nothing before any cell has answered', async () => {
    expect(await kids()).toBeNull();
  });
});
