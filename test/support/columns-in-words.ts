import * as ts from 'typescript';

/** The tables that have an entity. */
export interface MappedTables {
  /** The columns of each table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** The table of each entity, by its name in code. */
  readonly byEntity: ReadonlyMap<string, string>;
}

/** The table of each alias. It is null for the rows of a function or a query. */
type Aliases = ReadonlyMap<string, string | null>;

/** The part of a statement that sees the same tables: one query without the queries within it. */
interface Scope {
  /** `⟨⟩` are its own parentheses. `«3»` is the query of that number. */
  readonly text: string;
  readonly aliases: Aliases;
  /** The names that its query gives to results. */
  readonly results: ReadonlySet<string>;
  readonly around: Scope | undefined;
}

/**
 * The texts of a file that may be SQL, without quotations and comments. Prose has capital letters, and a code has no space. `¤` stands
 * for each value of a template but `${….into}`, which gives its table.
 */
function textsOf(code: string, byEntity: MappedTables['byEntity']): readonly string[] {
  const file = ts.createSourceFile('adapter.ts', code, ts.ScriptTarget.Latest);
  const selections = new Map(
    [...code.matchAll(/\bconst (\w+) = (\w+Entity)\b/g)].map(([, name = '', entity = '']) => [name, entity] as const),
  );
  const valueOf = (value: ts.Expression): string => {
    const [, name = ''] = /^(\w+)\b.*\.into$/s.exec(value.getText(file)) ?? [];
    return byEntity.get(selections.get(name) ?? name) ?? '¤';
  };
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push(
        node.head.text + node.templateSpans.map((span) => ` ${valueOf(span.expression)} ${span.literal.text}`).join(''),
      );
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts
    .map((text) => text.replaceAll(/'[^']*'|"[^"]*"|--.*/g, ' ¤ '))
    .filter((text) => /\s/.test(text) && !/[A-Z]/.test(text));
}

/** The queries in parentheses, innermost first, and the text around them last. */
function queriesOf(sql: string): readonly string[] {
  const queries: string[] = [];
  let text = sql;
  for (let inner = /\(([^()]*)\)/.exec(text); inner !== null; inner = /\(([^()]*)\)/.exec(text)) {
    const [whole, within = ''] = inner;
    const isQuery = /^\s*(?:select|insert|update|delete|with)\b/.test(within);
    if (isQuery) queries.push(within);
    text = text.replace(whole, () => (isQuery ? `«${String(queries.length - 1)}»` : `⟨${within}⟩`));
  }
  return [...queries, text];
}

/** The parts of a query. The SELECT of an INSERT does not see the INSERT's table. */
const partsOf = (query: string): readonly string[] =>
  query.split(/\b(?:union|except|intersect)\b/).flatMap((part) => {
    const [, insert, select = '', rest = ''] =
      /^(.*\binsert into\b.*?)(\bselect\b.*?)?((?:\bon conflict\b|\breturning\b).*)?$/s.exec(part) ?? [];
    return insert === undefined ? [part] : [`${insert} ${rest}`, select];
  });

/** The text with `()` in the place of each of its own parentheses. */
function outline(text: string): string {
  const less = text.replaceAll(/⟨[^⟨⟩]*⟩/g, '()');
  return less === text ? text : outline(less);
}

const SOURCES =
  /\b(from|join|update|into|using)\s+(?:(?:only|lateral)\s+)*(\w+|«\d+»|¤)(\s*\(\))?(?:\s+with ordinality)?(?:\s+as\b)?(?:\s+(?!(?:on|using|where|group|order|limit|set|values|select|returning|cross|left|right|full|join|for|having|window)\b)([a-z]\w*))?/g;

function aliasesOf(part: string, results: ReadonlySet<string>): Aliases {
  const sources = outline(part)
    .replaceAll(/\bdistinct from\b/g, '=')
    .matchAll(SOURCES);
  return new Map(
    [...sources].flatMap(([, word, name = '', call, alias = name]) => {
      const isTable = /^\w/.test(name) && (call === undefined || word === 'into') && !results.has(name);
      const table = isTable ? name : null;
      return word === 'into' ? [[alias, table] as const, ['excluded', table] as const] : [[alias, table] as const];
    }),
  );
}

function scopesOf(sql: string): readonly Scope[] {
  const queries = queriesOf(sql);
  // The names of WITH stand for their queries, not for tables.
  const common = new Set(
    [...queries.join(' ').matchAll(/(\w+)\s*(?:⟨[^⟨⟩]*⟩\s*)?\bas\s+(?:(?:not\s+)?materialized\s+)?«/g)].map(
      ([, name = '']) => name,
    ),
  );
  const scopes: Scope[] = [];
  for (const [number, query] of [...queries.entries()].toReversed()) {
    const around = scopes.find(({ text }) => text.includes(`«${String(number)}»`));
    // The order of a union is by its results, and the first part gives their names.
    const ends = /\b(?:union|except|intersect)\b/.test(query) ? /(?:\bas\s+|\border by\s+)(\w+)/g : /\bas\s+(\w+)/g;
    const results = new Set([...query.matchAll(ends)].map(([, name = '']) => name));
    for (const text of partsOf(query)) scopes.push({ text, aliases: aliasesOf(text, common), results, around });
  }
  return scopes;
}

/** Lists that give names to the columns of a function or a query. */
const DEFINITIONS =
  /(?<=[⟩»](?:\s+with ordinality)?(?:\s+as)?\s+(?!(?:and|or|in|over|filter|then|else|when|not|on|using|set|where|values|by)\b)\w+\s*)⟨[\w\s,[\]]*⟩|⟨[^⟨⟩]*⟩(?=\s*as\s+(?:(?:not\s+)?materialized\s+)?«)/g;

/** A name, alone or after an alias. The name of a result, a type or a function is none, and nor are `at time zone` and `within group`. */
const NAMES = /(?<![\w.¤]|\bas\s+|::\s*)(?:(\w+)\.)?(?!at\s+time\b|within\s+group\b)([a-z]\w*)(?!\w|\.|\s*⟨)/g;

/** The table of an alias; null as in {@link Aliases}, undefined if the statement does not say. */
function tableOf(alias: string, scope: Scope | undefined): string | null | undefined {
  if (scope === undefined) return undefined;
  const table = scope.aliases.get(alias);
  return table === undefined ? tableOf(alias, scope.around) : table;
}

/** The table with a column, for a name without an alias. PostgreSQL refuses the name if two tables have it. */
function ownerOf(name: string, scope: Scope | undefined, columns: MappedTables['columns']): string | null {
  if (scope === undefined) return null;
  const tables = [...scope.aliases.values()];
  const owner = tables.find((table) => columns.get(table ?? '')?.has(name) === true);
  if (owner !== undefined) return owner;
  // Rows without an entity may have a column of that name.
  return tables.every((table) => columns.has(table ?? '')) ? ownerOf(name, scope.around, columns) : null;
}

/** A name that is compared, in a condition apart from its statement. */
const COMPARED = /(?<![\w.¤]|::\s*)([a-z]\w*)(?=\s*(?:[-#]>|@>|[<>=]|\bis (?:not )?null\b|\bin \())/g;

/**
 * The columns that the SQL of a file names in words although their tables have entities, as `table.column`.
 *
 * A name after an alias is a column of the table that the alias stands for. The statement says which, or else the file. A name alone
 * is a column of a table beside it.
 */
export function columnsInWords(code: string, { columns, byEntity }: MappedTables): ReadonlySet<string> {
  const texts = textsOf(code, byEntity);
  const scopes = texts.flatMap(scopesOf);
  const named = [...code.matchAll(/\b(\w+Entity)\b(?:\s*\.as\('(\w+)'\))?/g)].map(
    ([, entity = '', alias = '']) => [alias, byEntity.get(entity) ?? null] as const,
  );
  const dropped = [...code.matchAll(/\bdropOldRows\(\s*'(\w+)',\s*(?:'(\w+)')?/g)];
  const ofOld = dropped.map(([, table = '']) => ['old', table] as const);
  const known = [[...named, ...ofOld], scopes.flatMap(({ aliases }) => [...aliases])];
  const tablesOf = (alias: string, scope: Scope): readonly (string | null)[] => {
    const table = tableOf(alias, scope);
    if (table !== undefined) return [table];
    const found = known.map((bound) => bound.flatMap(([name, of]) => (name === alias ? [of] : [])));
    return found.find((tables) => tables.length > 0) ?? [];
  };
  const found = new Set<string>();
  const note = (table: string | null | undefined, name: string): void => {
    if (columns.get(table ?? '')?.has(name) === true) found.add(`${table ?? ''}.${name}`);
  };
  for (const scope of scopes) {
    const text = scope.text.replaceAll(DEFINITIONS, (list) => list.replaceAll(/\w/g, ' '));
    const order = text.search(/\b(?:order|group) by\b/);
    for (const { index, 1: alias, 2: name = '' } of text.matchAll(NAMES)) {
      const isResult = scope.results.has(name) && order !== -1 && index > order;
      if (alias !== undefined) for (const table of tablesOf(alias, scope)) note(table, name);
      else if (!isResult && tableOf(name, scope) === undefined) note(ownerOf(name, scope, columns), name);
    }
  }
  for (const [, table, name = ''] of dropped) note(table, name);
  for (const text of texts.filter((one) => !/\b(?:select|insert into|update|delete from)\b/.test(one)))
    for (const [, name = ''] of text.matchAll(COMPARED)) for (const [, table] of named) note(table, name);
  return found;
}
