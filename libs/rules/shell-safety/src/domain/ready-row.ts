import { Mode } from './mode.js';
import type { Behaviour, OptionStyle, ProgramRow } from './program-row.js';

/** The beginning of a listed subcommand, or the row alone. Its mode is made when the first call asks for it. */
export class Branch {
  #mode: Mode | null = null;

  constructor(
    readonly row: ProgramRow,
    /** The row itself if it lists none of exactly these words. */
    readonly behaviour: Behaviour,
    /** True if longer subcommands begin with it. */
    readonly goesOn: boolean,
  ) {}

  get mode(): Mode {
    return (this.#mode ??= new Mode(this.row, this.behaviour));
  }
}

/** A row of the table in its form for reading calls. */
export class ReadyRow {
  /** The row without a subcommand. */
  readonly alone: Branch;
  readonly style: OptionStyle;
  /** True if the program takes words of its command from its input. */
  readonly readsWords: boolean;
  /** True if the program may be asked about itself, and does nothing else then. */
  readonly helps: boolean;
  #branches: ReadonlyMap<string, Branch> | null = null;

  constructor(readonly row: ProgramRow) {
    this.alone = new Branch(row, row, row.subcommands !== undefined);
    this.style = row.style ?? 'gnu';
    this.readsWords = row.readsWords === true;
    this.helps = row.style !== 'none' && row.loadsProject !== true && row.class !== 'ESCALATION' && row.tier !== 3;
  }

  /** The beginning of a listed subcommand; undefined for any other words. */
  branch(name: string): Branch | undefined {
    return (this.#branches ??= branchesOf(this.row)).get(name);
  }
}

/** Every beginning of a listed subcommand. */
function branchesOf(row: ProgramRow): ReadonlyMap<string, Branch> {
  const branches = new Map<string, Branch>();
  const subcommands = row.subcommands ?? {};
  for (const name of Object.keys(subcommands)) {
    const words = name.split(' ');
    for (let length = 1; length <= words.length; length++) {
      const branch = words.slice(0, length).join(' ');
      const goesOn = branches.get(branch)?.goesOn === true || length < words.length;
      branches.set(branch, new Branch(row, subcommands[branch] ?? row, goesOn));
    }
  }
  return branches;
}
