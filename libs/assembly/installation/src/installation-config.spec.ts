import { installationConfigFrom } from './installation-config.js';

const privateHosts = (text: string): readonly string[] =>
  installationConfigFrom({ COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: text }, '.').allowedPrivateHosts;

describe('COUNTERSIGN_ALLOWED_PRIVATE_HOSTS', () => {
  it('lists hosts for every tenant, and for one alone', () => {
    const listed = ['fleet.internal:8443', '10.0.0.5', 'acme=10.0.0.6:8443', 'acme=fd00::5'];
    expect(privateHosts(listed.join(', '))).toEqual(listed);
    expect(privateHosts('')).toEqual([]);
  });

  it.each(['=10.0.0.5', 'acme=', 'Acme Inc=10.0.0.5', 'acme=globex=10.0.0.5', 'http://10.0.0.5/', '*'])(
    'refuses to start with %s',
    (wrong) => {
      expect(() => privateHosts(`fleet.internal,${wrong}`)).toThrow(`"${wrong}" is neither`);
    },
  );
});

describe('the address of Countersign, which its grants name as their issuer', () => {
  const publicUrl = (environment: Readonly<Record<string, string>>): string =>
    installationConfigFrom(environment, '.').publicUrl;

  it('is where the api listens unless something else is said', () => {
    expect(publicUrl({})).toBe('http://localhost:8420');
    expect(publicUrl({ COUNTERSIGN_PORT: '8421' })).toBe('http://localhost:8421');
    expect(publicUrl({ COUNTERSIGN_PORT: '8421', COUNTERSIGN_PUBLIC_URL: 'https://countersign.example/' })).toBe(
      'https://countersign.example',
    );
  });

  it.each(['99999', '80a', '-1'])('names the port that is wrong: %s', (port) => {
    expect(() => publicUrl({ COUNTERSIGN_PORT: port })).toThrow(
      `COUNTERSIGN_PORT must be a whole number from 0 to 65535, and is "${port}".`,
    );
  });

  it.each([
    'https://u:hunter2@c.example',
    'https://c.example/?a=b',
    'https://c.example/#a',
    'c.example',
    'ftp://c.example',
  ])('is not %s, and the refusal repeats no password', (wrong) => {
    expect(() => publicUrl({ COUNTERSIGN_PUBLIC_URL: wrong })).toThrow('start.wrong_setting: COUNTERSIGN_PUBLIC_URL');
    expect(() => publicUrl({ COUNTERSIGN_PUBLIC_URL: wrong })).not.toThrow('hunter2');
  });
});

it.each([
  [undefined, { offerMs: 15_000, pausesMs: 30_000 }],
  ['8000', { offerMs: 1_000, pausesMs: 2_000 }],
  ['3600000', { offerMs: 15_000, pausesMs: 3_510_000 }],
])('waits %s ms for a runner, in six short offers and the pauses between them', (given, wait) => {
  expect(installationConfigFrom({ COUNTERSIGN_RUNNER_WAIT_MS: given }, '.').runnerWait).toEqual(wait);
});

it('names a wrong setting, with a code and the page of all settings', () => {
  expect(() => installationConfigFrom({ COUNTERSIGN_PUBLIC_URL: 'ftp://countersign.example' }, '.')).toThrow(
    expect.objectContaining({
      failure: {
        kind: 'unavailable',
        code: 'start.wrong_setting',
        message: 'COUNTERSIGN_PUBLIC_URL must be an http or https address without user, query or fragment.',
        action: 'Correct it and start again; docs/operating.md lists every setting.',
      },
    }) as Error,
  );
});
