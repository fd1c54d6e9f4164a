import { SlackCallError } from '../application/slack.ports.js';
import { SlackClients } from './slack-clients.js';

function keeping() {
  const clients = new SlackClients<string>();
  const made: string[] = [];
  const use = (token: string, refusal?: SlackCallError): Promise<string> =>
    clients.use(
      token,
      () => {
        made.push(token);
        return `client of ${token}`;
      },
      (client) => (refusal === undefined ? Promise.resolve(client) : Promise.reject(refusal)),
    );
  return { made, use };
}

describe('the clients of Slack', () => {
  it('are made once for each token', async () => {
    const { made, use } = keeping();
    expect([await use('a'), await use('b'), await use('a')]).toEqual(['client of a', 'client of b', 'client of a']);
    expect(made).toEqual(['a', 'b']);
  });

  it('stay to the number of a thousand: the least recently used goes, and no other', async () => {
    const { made, use } = keeping();
    for (let token = 1; token <= 1_000; token += 1) await use(String(token));
    await use('1');
    await use('1001');
    made.length = 0;
    for (const token of ['1', '3', '1000', '1001', '2']) await use(token);
    expect(made).toEqual(['2']);
  });

  it.each<[string, readonly string[]]>([
    ['invalid_auth', ['a', 'a']],
    ['token_revoked', ['a', 'a']],
    ['account_inactive', ['a', 'a']],
    ['not_in_channel', ['a']],
  ])('go if Slack no longer takes their token: %s', async (code, expected) => {
    const { made, use } = keeping();
    await use('a');
    const refusal = new SlackCallError(code, false);
    await expect(use('a', refusal)).rejects.toBe(refusal);
    await use('a');
    expect(made).toEqual(expected);
  });
});
