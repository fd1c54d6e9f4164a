import { Command } from 'commander';
import { addApply } from './commands/apply.js';
import { addIdentityCommands } from './commands/identity.js';
import { addServerCommands } from './commands/server.js';
import { addVerify } from './commands/verify.js';
import { sessionFrom, type GlobalOptions, type Session } from './session.js';

const help = `
Environment:
  COUNTERSIGN_URL         where Countersign is (default http://127.0.0.1:8420)
  COUNTERSIGN_TOKEN       your credential, or
  COUNTERSIGN_TOKEN_FILE  a file that holds it; never an argument

Exit codes:
  0  done
  1  refused: policy, permission, a wrong state or a wrong document
  2  the command line is wrong
  3  an evidence pack does not verify
  4  Countersign or its database cannot be reached
  5  what was watched ended badly

Examples:
  countersign start
  countersign submit task task.yaml
  countersign submit plan TASK plan.yaml --simulate --ask
  countersign review REQUEST --approve
  countersign watch RUN
  countersign evidence PLAN --output evidence.json
  countersign verify evidence.json --key audit-keys.txt
`;

/** The command line; `countersign help COMMAND` explains each. */
export function createProgram(): Command {
  const program = new Command('countersign')
    .description('the control plane between AI agents and the tools that change things')
    .option('--json', 'print results as JSON')
    .option('--url <url>', 'where Countersign is')
    .option('--token-file <file>', 'a file that holds your credential')
    .showHelpAfterError('(countersign --help shows what there is)')
    .addHelpText('after', help);
  const session = (): Session => sessionFrom(program.opts<GlobalOptions>(), process.env);
  const output = (): Session['output'] => session().output;
  addServerCommands(program, output);
  addIdentityCommands(program, session);
  addApply(program, session);
  addVerify(program, output);
  return program;
}
