import { dashedPatterns } from './dashed-patterns.js';
import { INSPECTIONS } from './inspections.js';
import type { Argument, Call, Finding } from './inspection.js';
import { effectAt, type Effect } from './effect.js';
import { writeEffect } from './judge-write.js';
import { matchesGlob } from './match-glob.js';
import { indexOf, NAMES_FILES } from './option-index.js';
import { holdsSecrets, namesFolderOfSecrets, namesSecret } from './paths.js';
import { readsOutside } from './outside-paths.js';
import type { Behaviour, ProgramRow } from './program-row.js';
import { readCall, type ReadCall } from './read-call.js';
import { globOfRecursion, hiddenIfRecursive, hiddenPassed, hiddenRead, tellsNoText } from './reads-hidden.js';
import type { ShellClass, Tier } from './verdict.js';

/** A command, script or assignment inside a call. */
export type NestedFinding = Exclude<Finding, { kind: 'effect' }>;

/** The judgement of a row on a call: its effects, and the commands and scripts that are to be judged after it. */
export interface JudgedCall {
  readonly effects: readonly Effect[];
  readonly nested: readonly NestedFinding[];
  readonly network: boolean;
  /** The words of the call, sorted. */
  readonly call: Call;
  /** The files whose text the program shows, or takes for a list. */
  readonly reads: readonly Argument[];
  /** Words that would make it read hidden files, if one of them is an option. */
  readonly mayRecurse: readonly Argument[];
}

const tierOf = (shellClass: ShellClass): Tier => {
  if (shellClass === 'READ_ONLY') return 1;
  return shellClass === 'ESCALATION' ? 3 : 2;
};

/** The code of a program's own effect. */
const CODES: Readonly<Record<ShellClass, string>> = {
  READ_ONLY: 'shell.read_only',
  BUILD_TEST: 'shell.build_test',
  WRITE: 'shell.write',
  NETWORK: 'shell.network',
  UNKNOWN: 'shell.unknown',
  DESTRUCTIVE: 'shell.destructive',
  ESCALATION: 'shell.escalation',
};

/** The options that give grep-like programs their pattern, so that every operand is a file. */
const GIVES_PATTERN: ReadonlySet<string> = new Set(['-e', '-f', '--regexp', '--file', '--expression']);

/**
 * Judges a call by its row.
 *
 * @param program the program's word; `words` follow it
 */
export function judgeCall(program: Argument, words: readonly Argument[], row: ProgramRow): JudgedCall {
  const call = readCall(words, row);
  const name = call.subcommand === '' ? program.text : `${program.text} ${call.subcommand}`;
  const { behaviour } = call;
  const whole = { start: program.start, end: words.at(-1)?.end ?? program.end };
  if (asksForHelp(call, row)) {
    const effect = effectAt(whole, 'READ_ONLY', 1, 'shell.read_only', `${name} prints about itself.`);
    return { effects: [effect], nested: [], network: false, call, reads: [], mayRecurse: [] };
  }
  const judged = new CallJudgement(name, whole, takesLists(row, behaviour));
  judged.note(whole, behaviour.class, behaviour.tier, CODES[behaviour.class], behaviour.does);
  judgeOptions(judged, call);
  judgeOpenWords(judged, call, row);
  judgeOperands(judged, call);
  judgeClauses(judged, call);
  const hidden = hiddenRead(program, call) ?? hiddenPassed(program, words, call);
  if (hidden !== null) {
    judged.note(hidden, 'READ_ONLY', 2, 'shell.reads_secret', 'reads hidden files too, which may hold secrets');
  }
  const mayRecurse = hiddenIfRecursive(program, call, row) ? call.open : [];
  const glob = mayRecurse.length > 0 ? globOfRecursion(program, call) : null;
  if (glob !== null) {
    const does = `may take a file called -r, which ${glob.text} may find, for an option: write -- or ./ before ${glob.text}`;
    judged.note(glob, 'READ_ONLY', 2, 'shell.open_argument', does);
  }
  for (const word of call.assignments) judged.nested.push({ kind: 'assignment', word, exported: true });
  const own = behaviour.inspect;
  if (own !== undefined) inspect(judged, own, words, row, call);
  if (row.inspect !== undefined && row.inspect !== own) inspect(judged, row.inspect, words, row, call);
  if (own === undefined && row.inspect === undefined && call.command !== null)
    judged.nested.push({ kind: 'command', words: call.command });
  const network = row.network === true || behaviour.network === true;
  return { effects: judged.effects, nested: judged.nested, network, call, reads: judged.reads, mayRecurse };
}

function inspect(
  judged: CallJudgement,
  inspection: string,
  words: readonly Argument[],
  row: ProgramRow,
  call: ReadCall,
): void {
  const inspects = INSPECTIONS.get(inspection);
  // A row that names no function would go uninspected: it is never judged harmless.
  if (inspects === undefined)
    judged.note(judged.whole, 'UNKNOWN', 2, 'shell.unknown_inspection', 'cannot be inspected');
  else judged.inspected(inspects(words, row, call));
}

/** True for `program --help` and `program sub --version`, which do nothing else unless the program loads the project for them. */
function asksForHelp(call: ReadCall, row: ProgramRow): boolean {
  if (call.operands.length > 0 || call.open.length > 0 || call.command !== null || row.style === 'none') return false;
  if (
    row.loadsProject === true ||
    row.class === 'ESCALATION' ||
    row.tier === 3 ||
    call.options.length + call.unlisted.length !== 1
  )
    return false;
  // `yarn build --help` may pass the option on to the build.
  if (call.subcommand !== '' && (call.behaviour.class === 'BUILD_TEST' || call.behaviour.class === 'UNKNOWN'))
    return false;
  const only = call.options[0];
  const word = (only?.at ?? call.unlisted[0])?.value;
  return only?.kind === 'informs' || word === '--help' || word === '--version';
}

class CallJudgement {
  readonly effects: Effect[] = [];
  readonly nested: NestedFinding[] = [];
  readonly reads: Argument[] = [];

  constructor(
    readonly program: string,
    readonly whole: { readonly start: number; readonly end: number },
    /** True if an option of the program names a file with names of files. */
    readonly takesLists: boolean,
  ) {}

  note(
    at: { readonly start: number; readonly end: number },
    shellClass: ShellClass,
    tier: Tier | undefined,
    code: string,
    does: string,
  ): void {
    this.effects.push(effectAt(at, shellClass, tier ?? tierOf(shellClass), code, `${this.program} ${does}.`));
  }

  write(target: Argument): void {
    const effect = writeEffect(target, 'changes');
    if (effect !== null) this.effects.push(effect);
  }

  inspected(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (finding.kind !== 'effect') this.nested.push(finding);
      else this.note(finding.at ?? this.whole, finding.class, finding.tier, finding.code, finding.does);
    }
  }
}

function judgeOptions(judged: CallJudgement, call: ReadCall): void {
  for (const { kind, name, value, at } of call.options) {
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
        if (NAMES_FILES.has(name) && !tellsNoText(judged.program))
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
        if (value !== null) judged.nested.push({ kind: 'script', source: value, loose: true });
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
function judgeOpenWords(judged: CallJudgement, call: ReadCall, row: ProgramRow): void {
  const [word] = call.open;
  if (word === undefined) return;
  const list = judged.takesLists
    ? call.open.find(mayNameList)
    : indexOf(row.options).takesFormats
      ? call.open.find((each) => dashedPatterns(each).length > 0)
      : undefined;
  if (list !== undefined)
    judged.note(list, 'UNKNOWN', 2, 'shell.open_argument', `may take ${list.text} for an option that shows a file`);
  for (const each of call.open) if (mayNameFile(each, row, call.behaviour)) judged.reads.push(each);
  if (!isHarmful(row, call.behaviour)) return;
  judged.note(word, 'UNKNOWN', 2, 'shell.open_argument', `may take ${word.text} for an option that writes or executes`);
}

/** True of `--file=$x` and `-f$x`. */
function mayNameFile({ text }: Argument, row: ProgramRow, behaviour: Behaviour): boolean {
  const name = /^--[\w-]+(?==)/.exec(text)?.[0] ?? /^-\w*(\w)/.exec(text)?.[0].replace(/^-.*(?=.$)/, '-');
  return name !== undefined && [row, behaviour].some(({ options }) => indexOf(options).get(name)?.kind === 'reads');
}

const isHarmful = (row: ProgramRow, behaviour: Behaviour): boolean =>
  indexOf(row.options).harmful ||
  indexOf(behaviour.options).harmful ||
  row.inspect !== undefined ||
  behaviour.inspect !== undefined ||
  behaviour.operands === 'command';

const takesLists = (row: ProgramRow, behaviour: Behaviour): boolean =>
  indexOf(row.options).takesLists || indexOf(behaviour.options).takesLists;

/** Secrets with the endings that secrets have, behind an option. A file of the folder can have the name of one. */
const LISTS_OF_SECRETS =
  '.env .npmrc credentials id_rsa secrets.json secrets.yml secrets.yaml secrets.txt secrets.toml wp-config.php rclone.conf x.tfvars x.pem x.key'
    .split(' ')
    .map((name) => `--files0-from=${name}`);

/** True if a glob, or the input of xargs, may give the option of a list that is no list: the program complains about its text, and shows it. */
const mayNameList = ({ patterns, text }: Argument): boolean =>
  !text.includes('$') && patterns.some((pattern) => LISTS_OF_SECRETS.some((option) => matchesGlob(pattern, option)));

function judgeOperands(judged: CallJudgement, call: ReadCall): void {
  const { behaviour, operands } = call;
  switch (behaviour.operands ?? (behaviour.class === 'READ_ONLY' ? 'none' : 'any')) {
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
      for (const word of given ? operands : operands.slice(1)) judgeRead(judged, word, call);
      return;
    }
    case 'writes':
      for (const word of operands) judged.write(word);
  }
}

/** A file that the program reads; or writes, if an option makes it do so: `sed -i`. */
function judgeRead(judged: CallJudgement, word: Argument, call: ReadCall): void {
  if (call.writes) judged.write(word);
  const { recursive } = call.behaviour;
  const below = recursive === true || call.recurses;
  const showsText = !tellsNoText(judged.program);
  if (showsText || (word.value === null && judged.takesLists)) judged.reads.push(word);
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
  if (call.options.some(({ name }) => name.endsWith('dir'))) judged.nested.push({ kind: 'moves' });
  for (const words of call.clauses) judged.nested.push({ kind: 'command', words });
}
