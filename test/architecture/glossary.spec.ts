import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const IRREGULAR = new Map([
  ['parentheses', 'parenthesis'],
  ['people', 'person'],
]);

/** The singular: `entries` gives `entry`. */
const one = (word: string): string => {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (/(?:ss|us|is|alias|always|facts|series|tls|postgres|yes)$/.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/(ch|sh|ss|tus|x)es$|s$/, '$1');
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
    advancer algorithm alias anchor api argument auth background backlog bigint binary blob block body boolean bound
    branch button byte ca callback canonical case cause character ciphertext client clock cluster column component
    config content context contract controller cookie copy core counter csrf csv dash data database declaration
    default dep description descriptor detail device dh digit dimension directive dispatching driver duration
    embedding engine entity err error escape etag executable exporter extension failure feed fetch field file
    filesystem filter fingerprint fold folder fork format glob grammar guard handler hash header history hitl home
    html http id image index input inspection integer interceptor invocation io issue item json jwk jwt kernel kid
    kind label language ledger length limit list listener listing lookup loop mailer manifest markdown match member
    memory metadata method modal model module name naming network newline nonce note nul null number oauth object
    ocsf operand option order origin package parameter parent parenthesis parser part partition password patch
    path pattern pipe pipeline placeholder pointer pooler port position postgres prefix probe problem process
    program prop property publisher query queue quote range rank reader recursion redirect redirection ref reference
    registry repository resolver resource response root route runtime salt schedule schema script sdk segment
    selector sender seq service sha signal signature signer sink size slug smallint socket span spec sql state
    statement status stdout stop stopper store stream structure style subscript substitution sum summary superuser
    surrogate sync syntax tab table tag tail temporal terminal test text theme thread threshold tilde timeout
    timestamp tls total totp trace tracing transaction transport tx type union update upgrade upstream url usage
    user uuid value variable version view wake walk wasm web wrapping writer x yaml zone`,
  nouns: `
    ability access account accuracy action activity actor address admin alarm alert answer arrival asset
    atom authenticator availability basis behalf behaviour bomb calibration caller category choice chunk
    cipher classification commit comparison consistency contradiction corpus cosine count day deadline death depth
    diff difference directory draft drift email end enroller ephemeral estimate evaluation example exception
    exchange exit fact family fault finding flight force forgery frequency gain gap gateway generation
    greeting growth head hint hit hold hour information internal lifetime lister mail maker mean measure
    mention mfa minute mismatch mistake moment month nearness nobody offer outbound override overview pair
    participant party period piece point post preparation presence preview progress purpose rarity rate
    receiver release remark rendering renewal reply reporter requirement right room safety sample selection
    series shell side space stat surface team tenancy thing thousand time tone urgency use verification way week
    weekday work world`,
  verbsAndParticiples: `
    accept acceptance ack acknowledge add advance allow announce apply approve arithmetic ask asking assign attach
    authenticate begin begun bind broken cancel checkout classify clip close compose confirm connect cover create
    decide delete delivering deny detach differ disable done download drop edit enable ending enrol escalate
    evaluate execute executing export fail fill find fit follow following forget forgotten forward found given gone
    goodbye grow hear held hello help hide insert inspect invite keep keeping kept leave left lift loosen lost made
    make met migrate mint notify overlap overtaken pause promote propose prove put putting reachable read reading
    receive redeem refuse register reject remove resend resent reset resolve resume retry return reviewable revoke
    roll rotate said save see seen select send sending sent show showing shown simulate speakable spelt spent start
    submit subscribe switch take taken tell threw tighten try undo undone unwrap validate verify wait want warn
    watch whoami widen withdraw withdrawn write written`,
  adverbsAdjectivesAndPrepositions: `
    about absent active actual after again against ago ahead alive all alone already always anew another anything
    authentic away back bare because before behind below beside between beyond bold bottom busy closest confirmable
    corrupt current cut deep deeper destructive different dormant double durably each earlier elsewhere empty ever
    exact exceptional first foreign former fresh from frozen full halfway here hidden higher how idempotent idle
    incomplete invalid it large lastly late later least literal live long looser many me meanwhile mine more most
    near new newer newest next none not nothing now odd off often ok old once one only open other otherwise our
    outside over overdue own past place plain public ready real recursive same short silent since slow stale
    stricter synchronous temporary there through to today twice unclear under underneath unknown unread until via
    well what when where which wild with within without wrong yes yet your`,
  screens: `
    badge banner bullet card chart checklist control dialog editor form frame panel paragraph picker plot section
    sentence shortcut skeleton title toggle`,
  programs: 'awk codex dd git iproute opencode pflag rm sh tar xid zsh',
  demo: 'cast chapter countersign demonstration fleet laptop narrator noor player story',
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

const CLIENT = 'libs/clients/client/src/api.ts';
const COMMANDS = 'docs/reference/cli.md';
const sources = [
  ...['libs', 'apps', 'migrations'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|sql)$/.test(name) && !name.includes('node_modules'))
      .map((name) => ({ path: join(folder, name), text: read(join(folder, name)) })),
  ),
  { path: COMMANDS, text: read(COMMANDS) },
];

type Noun = readonly [noun: string, name: string];
const TYPE = /^export (?:abstract )?(?:interface|type|class) (\w+)/gm;
/** Without functions that answer yes or no: these end with an adjective. */
const FUNCTION_OR_CONSTANT = /^export (?:async )?(?:function\*?|const) (?!(?:is|may)[A-Z])(\w+)/gm;
const TABLE = /^create (?:unlogged )?table (?!if)([a-z_]+)/gm;
const COLUMN = /^comment on column \w+\.(\w+)/gm;
const FIRST_OF_CODE = /\bcode: '([a-z_]+)\.[a-z_]+'/g;
const LAST_OF_CODE = /(?:\bcode: |\| )'[a-z_]+\.([a-z_]+)'/g;
const ROUTE = /^ {4}"(\/[^"]+)": \{/gm;
const PARAMETER = /^ {16}query\??: \{([^}]*)\}/gm;
const COMMAND = /^#+ `countersign(?:-router)? ([^`]+)`/gm;
const OPTION = /^ {2}(?:-\w, )?--([a-z-]+)/gm;

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

const eachNounOf = (name: string): readonly Noun[] => wordsOf(name).map((word) => [one(word), name]);

const lastNounOf = (name: string): readonly Noun[] =>
  wordsOf(name)
    .slice(-1)
    .map((word) => [one(word), name]);

/** A function, a constant and a code may also end with an adjective or a verb: `requireReadable`. */
const nounAtEnd = (name: string): readonly Noun[] =>
  lastNounOf(name).filter(([word]) => !/(?:ing|[ai]ble)$/.test(word));

/**
 * The nouns of names, each with a name that has it. Tables, libraries, routes, commands and the first parts of codes have a noun
 * in each word. Any other name ends with its noun.
 */
function nounsIn(path: string, text: string): readonly Noun[] {
  if (path === CLIENT)
    return [
      ...found(text, ROUTE).flatMap(eachNounOf),
      ...found(text, PARAMETER)
        .flatMap((members) => found(members, /^\s*"?([\w-]+)"?\??: /gm))
        .flatMap(lastNounOf),
    ];
  if (path === COMMANDS)
    return [...found(text, COMMAND).flatMap(eachNounOf), ...found(text, OPTION).flatMap(lastNounOf)];
  const exported = /\.(?:spec|contract)\.ts$/.test(path)
    ? []
    : [
        ...found(text, TYPE).flatMap(lastNounOf),
        ...(path.includes('/fake-') ? [] : found(text, FUNCTION_OR_CONSTANT).flatMap(nounAtEnd)),
      ];
  return [
    ...exported,
    ...[...found(text, TABLE), ...found(text, FIRST_OF_CODE), ...found(path, /^libs\/\w+\/([\w-]+)/g)].flatMap(
      eachNounOf,
    ),
    ...found(text, COLUMN).flatMap(lastNounOf),
    ...found(text, LAST_OF_CODE).flatMap(nounAtEnd),
  ];
}

/** A participle names a state or an event: `RunMoved`. */
const isParticiple = (word: string): boolean => /[^e]ed$/.test(word);

const KNOWN = new Set([...GLOSSARY, ...PLAIN_WORDS]);

const unknownOf = (path: string, nouns: readonly Noun[]): readonly string[] =>
  nouns.flatMap(([noun, name]) =>
    KNOWN.has(noun) || isParticiple(noun) || noun.length === 1 ? [] : [`${noun}: ${name} in ${path}`],
  );

describe('the glossary', () => {
  const named = sources.map(({ path, text }) => ({ path, nouns: nounsIn(path, text) }));

  it('has the nouns in names of code, database, API and commands, but for plain words', () => {
    expect(sources.length).toBeGreaterThan(2_000);
    expect(named.flatMap(({ path, nouns }) => unknownOf(path, nouns))).toEqual([]);
  });

  it.each([
    ['a type', 'libs/reach/siem/src/a.ts', 'export interface SqlWidgets {}', 'widget: SqlWidgets'],
    ['a table', 'migrations/1_a.sql', 'create table widget_event (', 'widget: widget_event'],
    ['a code', 'apps/a.ts', "  code: 'widget.refused',", 'widget: widget'],
    ['a library', 'libs/reach/widget/src/a.ts', '', 'widget: widget'],
    ['a function', 'libs/reach/siem/src/a.ts', 'export async function readWidgets() {}', 'widget: readWidgets'],
    ['a constant', 'libs/reach/siem/src/a.ts', "export const WIDGET = 'a';", 'widget: WIDGET'],
    ['a column', 'migrations/1_a.sql', "comment on column siem.next_widget is 'A.';", 'widget: next_widget'],
    ["a code's last part", 'apps/a.ts', "  code: 'siem.wrong_widget',", 'widget: wrong_widget'],
    ['a route', CLIENT, '    "/v1/siem/{widgetId}": {', 'widget: /v1/siem/{widgetId}'],
    [
      'a parameter',
      CLIENT,
      '                query?: {\n                    /** A. */\n                    widget?: string;\n                }',
      'widget: widget',
    ],
    ['a command', COMMANDS, '### `countersign siem widget`', 'widget: siem widget'],
    ['an option', COMMANDS, '  --last-widget <name>  a widget', 'widget: last-widget'],
  ])('misses the noun of %s', (_, path, text, expected) => {
    expect(unknownOf(path, nounsIn(path, text))).toEqual([`${expected} in ${path}`]);
  });

  it('needs each plain word of the list', () => {
    const used = new Set(named.flatMap(({ nouns }) => nouns.map(([noun]) => noun)));
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
