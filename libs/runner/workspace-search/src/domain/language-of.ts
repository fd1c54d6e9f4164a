/** The language of a source file. */
export interface Language {
  /** Its name, as results and questions have it. */
  readonly name: string;
  /** The name of its tree-sitter grammar; null for a language that is cut by lines, or by headings. */
  readonly grammar: string | null;
}

const language = (name: string, grammar: string | null, extensions: string) => ({
  language: { name, grammar },
  extensions: extensions.split(' '),
});

const LANGUAGES = [
  language('typescript', 'typescript', 'ts mts cts'),
  language('typescript', 'tsx', 'tsx'),
  language('javascript', 'javascript', 'js mjs cjs jsx'),
  language('python', 'python', 'py pyi'),
  language('go', 'go', 'go'),
  language('java', 'java', 'java'),
  language('rust', 'rust', 'rs'),
  language('ruby', 'ruby', 'rb rake gemspec'),
  language('csharp', 'c-sharp', 'cs'),
  language('c', 'cpp', 'c h'),
  language('cpp', 'cpp', 'cc cpp cxx hh hpp hxx'),
  language('php', 'php', 'php'),
  language('shell', 'bash', 'sh bash'),
  language('powershell', 'powershell', 'ps1 psm1'),
  language('css', 'css', 'css'),
  language('markdown', null, 'md mdx markdown'),
  language('json', null, 'json jsonc json5'),
  language('yaml', null, 'yaml yml'),
  language('toml', null, 'toml'),
  language('sql', null, 'sql'),
  language('html', null, 'html htm vue svelte'),
  language('xml', null, 'xml'),
  language('rego', null, 'rego'),
  language('protobuf', null, 'proto'),
  language('graphql', null, 'graphql gql'),
  language('kotlin', null, 'kt kts'),
  language('swift', null, 'swift'),
  language('scala', null, 'scala'),
  language('terraform', null, 'tf hcl'),
  language('text', null, 'txt rst adoc'),
];

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((each) => each.extensions.map((extension) => [extension, each.language] as const)),
);

const BY_NAME: ReadonlyMap<string, Language> = new Map([
  ['dockerfile', { name: 'dockerfile', grammar: null }],
  ['makefile', { name: 'makefile', grammar: null }],
  ['rakefile', { name: 'ruby', grammar: 'ruby' }],
  ['gemfile', { name: 'ruby', grammar: 'ruby' }],
]);

/** A file of another kind is text. */
const OTHER: Language = { name: 'other', grammar: null };

/** The language of a file by its name. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  return BY_NAME.get(name) ?? (dot === -1 ? undefined : BY_EXTENSION.get(name.slice(dot + 1))) ?? OTHER;
}
