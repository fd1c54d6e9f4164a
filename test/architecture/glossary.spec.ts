import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The singular: `entries` gives `entry`. */
const one = (word: string): string => {
  if (word === 'people') return 'person';
  if (/(?:ss|us|is|facts|series|tls|postgres)$/.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/(ch|sh|ss|x)es$|s$/, '$1');
};

/** Words of the glossary's first column, each by itself: `audit entry` gives `audit` and `entry`. */
const GLOSSARY = [...(read('docs/concepts.md').split('## Glossary')[1] ?? '').matchAll(/^\| ([^|]+) \|/gm)].flatMap(
  ([, words = '']) =>
    words
      .toLowerCase()
      .split(/[^a-z]+/)
      .map(one),
);

/** Words that mean here the same as everywhere, so that they need no entry. */
const PLAIN = {
  programming: `
    advancer algorithm api argument backlog binary block body bound branch button byte canonical client clock column
    component config content context contract controller database declaration dep description descriptor detail
    dispatching driver embedding engine entity error executable exporter failure feed fetch field file filter folder
    format grammar guard handler header history home id index input interceptor invocation io item json jwk kernel
    kind language ledger limit list listener listing loop mailer manifest match metadata method modal module name
    naming note object ocsf operand option order package pager parser part path pattern pipe pipeline placeholder
    pointer port position postgres problem process program prop publisher query queue range reader redirection ref
    reference registry repository resolver resource response route schema script sdk segment selector sender signal
    signer sink socket span spec sql state statement status stop stopper store stream structure style sum summary tab
    table tail temporal test text theme threshold tls totp trace tracing transaction transport tx union update upgrade
    upstream usage user value variable version view wake walk web wrapping writer x yaml`,
  nouns: `
    ability access account accuracy action activity actor address addressee alarm alert answer asset atom
    authenticator availability basis bearer behaviour caller category choice chunk cipher classification commit
    comparison consistency count deadline diff difference directory doorbell draft end ephemeral evaluation example
    exception fact family fault finding flight force forgery founder gain gateway generation greeting ground growth
    guest head hit internal keeper mail maker mean measure mfa mistake moment month offer outbound override
    overview pair participant party pauser period piece point post preparation preview progress purpose receiver
    remark rendering reply revoker safety sample selection series shell side sieve space stat surface surrounding team
    tenancy thing time tone urgency use way work world`,
  verbsAndParticiples: `
    acceptance advance approve arithmetic asking authenticate broken connect cover delivering done ending evaluate
    executing following forgotten forward found hide inspect keep keeping left made make met prove put putting
    reachable read reading refuse resume return reviewable seen send sending sent showing shown simulate speakable
    start tell try undone verify wait warn write written`,
  adverbsAndPrepositions: `
    about after again ahead anything back behind elsewhere long looser next now off outside over overdue since to
    unread via when where`,
  demo: 'cast chapter fleet laptop narrator player story',
  /** How a row of a table is kept. */
  rows: 'transition event setting pending waiting code word owner install',
};
const PLAIN_WORDS = Object.values(PLAIN).flatMap((words) => words.trim().split(/\s+/));

/** `SqlAuditEntries` gives `sql`, `audit` and `entries`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

const sources = ['libs', 'apps', 'migrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|sql)$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({ path: join(folder, name), text: read(join(folder, name)) })),
);

/** The nouns of names, each with a name that has it. A type ends with its noun; a table, a folder and a code have one in each word. */
function nounsIn(path: string, text: string): readonly (readonly [noun: string, name: string])[] {
  const types = /\.(?:spec|contract)\.ts$|clients\/client\/src\/api\.ts$/.test(path)
    ? []
    : [...text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)];
  const whole = [
    ...[...text.matchAll(/^create (?:unlogged )?table (?!if)([a-z_]+)/gm)].map(([, name = '']) => name),
    ...[...text.matchAll(/\bcode: '([a-z_]+)\.[a-z_]+'/g)].map(([, name = '']) => name),
    ...(/^libs\/\w+\/([\w-]+)/.exec(path)?.slice(1) ?? []),
  ];
  return [
    ...types.map(([, name = '']) => [one(wordsOf(name).at(-1) ?? ''), name] as const),
    ...whole.flatMap((name) => wordsOf(name).map((word) => [one(word), name] as const)),
  ];
}

/** A participle names a state or an event: `RunMoved`. */
const isParticiple = (word: string): boolean => /[^e]ed$/.test(word);

const unknownIn = (path: string, text: string, known: ReadonlySet<string>): readonly string[] =>
  nounsIn(path, text).flatMap(([noun, name]) =>
    known.has(noun) || isParticiple(noun) ? [] : [`${noun}: ${name} in ${path}`],
  );

describe('the glossary', () => {
  const known = new Set([...GLOSSARY, ...PLAIN_WORDS]);

  it('has each noun by which a type, table, library or code is named, but for plain words', () => {
    expect(sources.length).toBeGreaterThan(2_000);
    expect(sources.flatMap(({ path, text }) => unknownIn(path, text, known))).toEqual([]);
  });

  it.each([
    ['a type', 'libs/reach/siem/src/a.ts', 'export interface SqlWidgets {}', 'widget: SqlWidgets'],
    ['a table', 'migrations/1_a.sql', 'create table widget_event (', 'widget: widget_event'],
    ['a code', 'apps/a.ts', "  code: 'widget.refused',", 'widget: widget'],
    ['a library', 'libs/reach/widget/src/a.ts', '', 'widget: widget'],
  ])('misses the noun of %s', (_, path, text, expected) => {
    expect(unknownIn(path, text, known)).toEqual([`${expected} in ${path}`]);
  });

  it('needs each plain word of the list', () => {
    const used = new Set(sources.flatMap(({ path, text }) => nounsIn(path, text).map(([noun]) => noun)));
    expect(PLAIN_WORDS.filter((word) => !used.has(word))).toEqual([]);
  });

  it('has each word once', () => {
    const rows = [...(read('docs/concepts.md').split('## Glossary')[1] ?? '').matchAll(/^\| ([^|]+) \|/gm)];
    const words = rows.map(([, word]) => word);
    expect(new Set(words).size).toBe(words.length);
  });

  it('has one meaning for a word that had several', () => {
    expect(sources.filter(({ text }) => isOtherMeaning(text)).map(({ path }) => path)).toEqual([]);
    expect(isOtherMeaning('const admitted = await gate.admit(tenantId);')).toBe(true);
    expect(isOtherMeaning('const admission = await this.twoPersonRule.admit(tx, authority, change);')).toBe(false);
    expect(isOtherMeaning('function WaitingChanges() {}')).toBe(true);
    expect(isOtherMeaning('/** Voids the changes that wait on it. */')).toBe(true);
    const rule = 'const admission = await this.twoPersonRule.admit(tx, by, change);';
    expect(isOtherMeaning(`${rule}\nconst { admitted } = admission.value;\nsave(admitted);`)).toBe(false);
    expect(isOtherMeaning(`${rule}\nconst admitted = await queue.take();`)).toBe(true);
    expect(isOtherMeaning(`${rule}\nawait gate.admit(tenantId);`)).toBe(true);
  });
});

const OF_THE_RULE = /two.?person.?rule|AdmittedChange|ChangeAdmission|tightening\(|\bchange\b|outcome: 'admitted'/i;
const ADMISSION = /\badmi(?:t|ts|tted|tting|ssion)\b/gi;

/**
 * An admission is the two-person rule's alone, and a change that waits for a second person is a change request. In a file that
 * admits, each of these words stands in a line of the rule. Or it shares a line with such a word.
 */
function isOtherMeaning(source: string): boolean {
  if (/waiting_?changes?\b|\bchanges? that waits?(?! for (?:the person|me)\b)/i.test(source)) return true;
  if ([...source.matchAll(/(\w+)\.admit\(/g)].some(([, asked = '']) => !/rule$/i.test(asked))) return true;
  const lines = source.split('\n').map((line) => ({
    isOfTheRule: OF_THE_RULE.test(line),
    words: [...line.matchAll(ADMISSION)].map(([word]) => word.toLowerCase()),
  }));
  const known = new Set(lines.flatMap(({ isOfTheRule, words }) => (isOfTheRule ? words : [])));
  // A set that grows while it is walked is walked to its end.
  for (const word of known)
    for (const { words } of lines) if (words.includes(word)) for (const other of words) known.add(other);
  return lines.some(({ words }) => words.some((word) => !known.has(word)));
}
