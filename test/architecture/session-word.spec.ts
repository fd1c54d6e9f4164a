import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Files in which a session is an agent's. In any other file the word has one before it: a browser session, a database session. */
const OF_AGENTS = [
  'apps/api/src/(approval|audit|impact|live|mcp|policy|runner|session)/',
  'apps/api/src/(app.module|http/message-access|web/page-paths).ts',
  'apps/cli/src/((hook|views)/|follow-session|program|commands/(evidence|hook|sessions).ts)',
  'apps/(demo|runner|worker)/',
  'apps/web/src/(audit|automation|impact|request|session|webhook)/',
  'apps/web/src/(api/(affected-paths|audit|requests)|settings/agents-section|shell/navigation).tsx?',
  'libs/(clients|evidence|reach|registry|rules|runner|stages)/',
  'libs/assembly/installation/',
  'libs/foundation/(formats|kernel|policy-inputs|verifier|words)/',
  'libs/foundation/api-schemas/src/(?!sign-in)',
  'libs/people/identity/src/application/(agents|mfa-proofs).ts',
  'migrations/(0130|0142|0150|0200)',
];
const ofAgents = new RegExp(`^(?:${OF_AGENTS.join('|')})`);

/** Names of browsers, PostgreSQL, OpenID Connect and its server, which a word before them would break. */
const OF_OTHERS =
  /sessionStorage|session_(?:replication_role|user)|_session_(?:timeout|attrs)|source: 'session'|end_session_endpoint|buildEndSessionUrl|\bsession\?\.accountId|, session } = await provider|Session: DAY_SECONDS/g;

/** A path or a folder called sessions is an agent's. */
const ALONE = /(?<!(?:browser|host|database|agent|agent['’]s)[ _-]?|\/|pos)session/gi;

const aloneIn = (source: string): readonly string[] =>
  [...source.replace(OF_OTHERS, '').matchAll(ALONE)].map(([word]) => word);

describe('the word session', () => {
  it('alone means an agent’s', () => {
    const sources = ['libs', 'apps', 'migrations'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|sql)$/.test(name) && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    );
    const others = sources.filter((name) => !ofAgents.test(name));
    expect(others.length).toBeGreaterThan(1_000);
    expect(others.filter((name) => aloneIn(readFileSync(join(root, name), 'utf8')).length > 0)).toEqual([]);
  });

  it.each([
    'export interface Session {',
    'export const useSession = () => null;',
    'export type SignedInSession = object;',
    'const OPEN_SESSION = 1;',
    'session_minutes integer',
    '/** Ends the session of a person. */',
  ])('is found in %s', (line) => {
    expect(aloneIn(line)).toHaveLength(1);
  });

  it.each(['BrowserSessionRow', 'browser_session', '/** A browser session. */', 'sessionStorage', '/v1/sessions'])(
    'is not found in %s',
    (line) => {
      expect(aloneIn(line)).toEqual([]);
    },
  );
});
