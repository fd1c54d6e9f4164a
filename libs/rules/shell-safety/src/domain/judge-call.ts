import { dashedPatterns } from './dashed-patterns.js';
import type { Argument, Finding } from './inspection.js';
import { writeEffect } from './judge-write.js';
import { addEffect, addReason, type JudgedPart } from './judged-part.js';
import type { Judgement } from './judgement.js';
import { matchesGlob } from './match-glob.js';
import { tierOf, type Mode } from './mode.js';
import { NAMES_FILES } from './option-index.js';
import { holdsSecrets, namesFolderOfSecrets, namesSecret } from './paths.js';
import { readsOutside } from './outside-paths.js';
import type { Operands } from './program-row.js';
import type { ReadCall } from './read-call.js';
import type { ReadyRow } from './ready-row.js';
import { globOfRecursion, hiddenIfRecursive, hiddenPassed, hiddenRead, tellsNoText } from './reads-hidden.js';
import type { ShellClass, Tier } from './verdict.js';

/** A command, script or assignment inside a call. */
export type NestedFinding = Exclude<Finding, { kind: 'effect' }>;

/** The operands that are files to read. */
const READS: ReadonlySet<Operands> = new Set(['reads', 'pattern_then_reads']);

/** The options that give grep-like programs their pattern, so that every operand is a file. */
const GIVES_PATTERN: ReadonlySet<string> = new Set(['-e', '-f', '--regexp', '--file', '--expression']);

/**
 * Judges a call by its row. Adds its effects to the part, and the words that name files to the judgement.
 *
 * @param program the program's word; `words` follow it
 * @returns the commands and scripts that are to be judged after it, or null
 */
export function judgeCall(
  program: Argument,
  words: readonly Argument[],
  { row, helps }: ReadyRow,
  call: ReadCall,
  part: JudgedPart,
  judgement: Judgement,
): readonly NestedFinding[] | null {
  const { mode } = call;
  const name = call.subcommand === '' ? program.text : `${program.text} ${call.subcommand}`;
  if (helps && asksForHelp(call)) {
    addReason(part, 'READ_ONLY', 1, 'shell.read_only', `${name} prints about itself.`, part.start, part.end);
    return null;
  }
  const judged = new CallJudgement(name, part, judgement, mode);
  judged.note(part, mode.class, mode.tier, mode.code, mode.does);
  judgeOptions(judged, call);
  judgeOpenWords(judged, call);
  judgeOperands(judged, call);
  judgeClauses(judged, call);
  judgeHidden(judged, program, words, call);
  for (const word of call.assignments) judged.nest({ kind: 'assignment', word, exported: true });
  for (const inspect of mode.inspects) judged.inspected(inspect(words, row, call));
  if (mode.inspects.length === 0 && call.command !== null) judged.nest({ kind: 'command', words: call.command });
  if (mode.network) judgement.network = true;
  return judged.nested;
}

/** Hidden files, which the program reads or may read with those below its folders. */
function judgeHidden(judged: CallJudgement, program: Argument, words: readonly Argument[], call: ReadCall): void {
  const hidden = hiddenRead(program, call) ?? hiddenPassed(program, words, call);
  if (hidden !== null) {
    judged.note(hidden, 'READ_ONLY', 2, 'shell.reads_secret', 'reads hidden files too, which may hold secrets');
  }
  if (!hiddenIfRecursive(program, call)) return;
  for (const word of call.open) judged.judgement.mayRecurse(word);
  const glob = globOfRecursion(program, call);
  if (glob === null) return;
  const does = `may take a file called -r, which ${glob.text} may find, for an option: write -- or ./ before ${glob.text}`;
  judged.note(glob, 'READ_ONLY', 2, 'shell.open_argument', does);
}

/** True for `program --help` and `program sub --version`, which do nothing else unless the program loads the project for them. */
function asksForHelp(call: ReadCall): boolean {
  if (call.options.length + call.unlisted.length !== 1) return false;
  if (call.operands.length > 0 || call.open.length > 0 || call.command !== null) return false;
  // `yarn build --help` may pass the option on to the build.
  if (call.subcommand !== '' && (call.mode.class === 'BUILD_TEST' || call.mode.class === 'UNKNOWN')) return false;
  const only = call.options[0];
  const word = (only?.at ?? call.unlisted[0])?.value;
  return only?.kind === 'informs' || word === '--help' || word === '--version';
}

class CallJudgement {
  nested: NestedFinding[] | null = null;
  #showsText: boolean | null = null;

  constructor(
    readonly program: string,
    readonly part: JudgedPart,
    readonly judgement: Judgement,
    readonly mode: Mode,
  ) {}

  note(
    at: { readonly start: number; readonly end: number },
    shellClass: ShellClass,
    tier: Tier,
    code: string,
    does: string,
  ): void {
    addReason(this.part, shellClass, tier, code, `${this.program} ${does}.`, at.start, at.end);
  }

  /** True if the program may show the text of the files that it reads. */
  get showsText(): boolean {
    return (this.#showsText ??= !tellsNoText(this.program));
  }

  nest(finding: NestedFinding): void {
    this.nested ??= [];
    this.nested.push(finding);
  }

  /** Notes a file whose text the program shows, or takes for a list. */
  reads(word: Argument): void {
    this.judgement.read(word, true);
  }

  write(target: Argument): void {
    const effect = writeEffect(target, 'changes');
    if (effect !== null) addEffect(this.part, effect);
  }

  inspected(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (finding.kind !== 'effect') this.nest(finding);
      else {
        const { class: shellClass, tier, code, does, at } = finding;
        this.note(at ?? this.part, shellClass, tier ?? tierOf(shellClass), code, does);
      }
    }
  }
}

function judgeOptions(judged: CallJudgement, call: ReadCall): void {
  for (const { kind, name, value, at } of call.options) {
    // Further words of the value are operands: `head -n {1,.env}`.
    if (value?.words === 'many' && READS.has(call.mode.operands)) judgeRead(judged, value, call);
    switch (kind) {
      case 'plain':
      case 'value':
      case 'optional':
      case 'informs':
      case 'recurses':
      case 'executesWords':
        break;
      case 'reads':
        if (value !== null) judgeRead(judged, value, call);
        // An error shows a list or a pattern, also of a program that shows no text of its files.
        if (value !== null && !judged.showsText) judged.reads(value);
        if (NAMES_FILES.has(name) && judged.showsText)
          judged.note(at, 'UNKNOWN', 2, 'shell.unknown_input', 'reads the files of a list that the line does not show');
        break;
      case 'writes':
        judged.note(at, 'WRITE', 2, 'shell.option_writes', `writes because of ${name}`);
        break;
      case 'writesTo':
        judged.note(at, 'WRITE', 2, 'shell.option_writes', `writes because of ${name}`);
        if (value !== null) judged.write(value);
        break;
      case 'destroys':
        judged.note(at, 'DESTRUCTIVE', 2, 'shell.option_deletes', `deletes because of ${name}`);
        break;
      case 'executes':
        judged.note(at, 'UNKNOWN', 2, 'shell.option_executes', `executes the value of ${name}`);
        if (value !== null) judged.nest({ kind: 'script', source: value, loose: true });
        break;
      case 'executesHidden':
        judged.note(at, 'UNKNOWN', 2, 'shell.option_executes_hidden', `executes a program that ${name} implies`);
        break;
      case 'network':
      case 'networkTo':
        judged.note(at, 'NETWORK', 2, 'shell.option_network', `uses the network because of ${name}`);
        break;
      case 'identifies':
        judged.note(at, 'NETWORK', 2, 'shell.option_identity', `acts under the identity that ${name} gives`);
        break;
      case 'denied':
        judged.note(at, 'DESTRUCTIVE', 3, 'shell.option_denied', `is never allowed with ${name}`);
        break;
    }
  }
  for (const word of call.unlisted) {
    judged.note(word, 'UNKNOWN', 2, 'shell.unknown_option', `has no option ${word.text} in the table`);
  }
}

/** A word that is not literal counts as any option of its program. */
function judgeOpenWords(judged: CallJudgement, call: ReadCall): void {
  const word = call.open[0];
  if (word === undefined) return;
  const { mode } = call;
  const list = mode.takesLists
    ? call.open.find(mayNameList)
    : mode.takesFormats
      ? call.open.find((each) => dashedPatterns(each).length > 0)
      : undefined;
  if (list !== undefined)
    judged.note(list, 'UNKNOWN', 2, 'shell.open_argument', `may take ${list.text} for an option that shows a file`);
  for (const each of call.open) if (mayNameFile(each, mode)) judged.reads(each);
  if (!mode.harmful) return;
  judged.note(word, 'UNKNOWN', 2, 'shell.open_argument', `may take ${word.text} for an option that writes or executes`);
}

/** True of `--file=$x` and `-f$x`. */
function mayNameFile({ text }: Argument, mode: Mode): boolean {
  if (!text.startsWith('-')) return false;
  const name = /^--[\w-]+(?==)/.exec(text)?.[0] ?? /^-\w*(\w)/.exec(text)?.[0].replace(/^-.*(?=.$)/, '-');
  return name !== undefined && mode.readsBy(name);
}

/** Secrets with the endings that secrets have, behind an option. A file of the folder can have the name of one. */
const LISTS_OF_SECRETS =
  '.env .npmrc credentials id_rsa secrets.json secrets.yml secrets.yaml secrets.txt secrets.toml wp-config.php rclone.conf x.tfvars x.pem x.key'
    .split(' ')
    .map((name) => `--files0-from=${name}`);

/**
 * True if a glob, or the input of xargs, may give the option of a list that is no list. Then the program complains
 * about the file's text, and shows it.
 */
const mayNameList = ({ patterns, text }: Argument): boolean =>
  !text.includes('$') && patterns.some((pattern) => LISTS_OF_SECRETS.some((option) => matchesGlob(pattern, option)));

function judgeOperands(judged: CallJudgement, call: ReadCall): void {
  const { operands } = call;
  switch (call.mode.operands) {
    case 'any':
    case 'command':
      return;
    case 'none':
      for (const word of operands) {
        judged.note(word, 'UNKNOWN', 2, 'shell.unknown_operand', `has no operand ${word.text} in the table`);
      }
      return;
    case 'reads':
      for (const word of operands) judgeRead(judged, word, call);
      return;
    case 'pattern_then_reads': {
      const given = call.options.some(({ name }) => GIVES_PATTERN.has(name));
      // `grep {KEY,.env}` names the pattern and a file.
      const files = given || operands[0]?.words === 'many' ? operands : operands.slice(1);
      for (const word of files) judgeRead(judged, word, call);
      return;
    }
    case 'writes':
      for (const word of operands) judged.write(word);
  }
}

/** A file that the program reads; or writes, if an option makes it do so: `sed -i`. */
function judgeRead(judged: CallJudgement, word: Argument, call: ReadCall): void {
  if (call.writes) judged.write(word);
  const { mode } = call;
  const below = mode.recursive || call.recurses;
  const { showsText } = judged;
  if (showsText || (word.value === null && mode.takesLists)) judged.reads(word);
  if (namesSecret(word) || (below && holdsSecrets(word)) || (showsText && namesFolderOfSecrets(word))) {
    judged.note(word, 'READ_ONLY', 2, 'shell.reads_secret', `reads ${word.text}, which may hold secrets`);
  } else if (showsText && readsOutside(word)) {
    judged.note(word, 'READ_ONLY', 2, 'shell.reads_outside', `reads ${word.text}, which may lie outside the workspace`);
  }
}

/** The commands that find executes on the files that it finds. */
function judgeClauses(judged: CallJudgement, call: ReadCall): void {
  if (call.clauses.length === 0) return;
  const secret =
    call.operands.find(holdsSecrets) ?? call.options.find(({ value }) => value !== null && namesSecret(value))?.value;
  if (secret != null) {
    judged.note(
      secret,
      'READ_ONLY',
      2,
      'shell.reads_secret',
      `may pass on files of ${secret.text}, which may hold secrets`,
    );
  }
  if (call.options.some(({ name }) => name.endsWith('dir'))) judged.nest({ kind: 'moves' });
  for (const words of call.clauses) judged.nest({ kind: 'command', words });
}
