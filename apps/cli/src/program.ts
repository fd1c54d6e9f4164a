import type { Command } from 'commander';
import { VERSION } from '#lib/words';
import { addApply } from './commands/apply.js';
import { addAudit } from './commands/audit.js';
import { addAutomations } from './commands/automations.js';
import { addIncidentSettings } from './commands/incident-settings.js';
import { addLifecycleHooks } from './commands/lifecycle-hooks.js';
import { addEmbedder } from './commands/embedder.js';
import { addReports } from './commands/reports.js';
import { addSiem } from './commands/siem.js';
import { addSlack } from './commands/slack.js';
import { addWebhooks } from './commands/webhooks.js';
import { addBreakGlass } from './commands/break-glass.js';
import { addEnvironments } from './commands/environments.js';
import { addChanges } from './commands/changes.js';
import { addComments } from './commands/comments.js';
import { addImpact } from './commands/impact.js';
import { addMcpServers } from './commands/mcp-servers.js';
import { addExecutors } from './commands/executors.js';
import { addHalt } from './commands/halt.js';
import { addHook } from './commands/hook.js';
import { addIdentityCommands } from './commands/identity.js';
import { addIssuers } from './commands/issuers.js';
import { addMfa } from './commands/mfa.js';
import { addPeople } from './commands/people.js';
import { addTenant } from './commands/tenant.js';
import { addTokens } from './commands/tokens.js';
import { addPrecedents } from './commands/precedents.js';
import { addQueue } from './commands/queue.js';
import { addReading } from './commands/read.js';
import { addReview } from './commands/review.js';
import { addRun } from './commands/run.js';
import { addRunners } from './commands/runners.js';
import { addSecrets } from './commands/secrets.js';
import { addServerCommands } from './commands/server.js';
import { addSessions } from './commands/sessions.js';
import { addSetUp } from './commands/set-up.js';
import { addShell } from './commands/shell.js';
import { addStandby } from './commands/standby.js';
import { addStages } from './commands/stages.js';
import { addSubmit } from './commands/submit.js';
import { addVerify } from './commands/verify.js';
import { addWatch } from './commands/watch.js';
import { HELP_NOTES } from './help-notes.js';
import type { Io } from './io.js';
import { terminalOutput } from './output.js';
import { statedReason, takeReasons } from './stated-reason.js';
import { commandContextFrom, type GlobalOptions, type CommandContext } from './command-context.js';
import { explainWord, WrappingCommand } from './wrapping-command.js';

const help = `
Environment:
  COUNTERSIGN_URL               where Countersign is; otherwise this machine, at
                                port COUNTERSIGN_PORT or 8420
  COUNTERSIGN_TOKEN             your credential, or
  COUNTERSIGN_TOKEN_FILE        a file that holds it; never an argument
  COUNTERSIGN_ALLOW_PLAIN_HTTP  1 sends it to other machines by http://
  NO_COLOR                      no colours

Exit codes:
  0  done
  1  refused: policy, permission, a wrong state or a wrong document
  2  the command line is wrong, or a file that it names
  3  an evidence pack does not verify
  4  Countersign or its database cannot be reached, or does not start
  5  the plan or run that you watched ended badly
  6  nothing in a pack is wrong, but payloads are missing: not all was checked
  7  a pack verifies, but not every approval was signed with a key that you kept
  8  the change that impact looked at lets something pass that was held back
  9  impact found nothing looser, but could not take every decision again
  141  standard output was closed early, as by \`| head -1\`: the end is not known

With --json, results are JSON on standard output. Errors are JSON on standard
error: {"error": {"code", ...}}.

Examples:
  countersign start
  countersign submit task task.yaml
  countersign submit plan TASK plan.yaml --simulate --ask
  countersign requests
  countersign review REQUEST --approve
  countersign watch RUN
  countersign evidence PLAN --output evidence.json
  countersign verify evidence.json --key audit-keys.txt
`;

/** Descriptions wrap beside long names, too. */
const NARROWEST_DESCRIPTION = 30;

/** The command line; `countersign help COMMAND` explains each. */
export function createProgram(io: Io): Command {
  const program: Command = new WrappingCommand('countersign')
    .configureHelp({ minWidthToWrap: NARROWEST_DESCRIPTION, ...HELP_NOTES })
    .description('the control plane between AI agents and the tools that change things')
    .option('--json', 'print results as JSON')
    .option('--url <url>', 'where Countersign is')
    .option('--token-file <file>', 'a file that holds your credential')
    .version(VERSION, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      // With --json the error itself is written, as JSON.
      writeErr: (text) => {
        if (program.opts<GlobalOptions>().json !== true) io.err(text);
      },
    })
    .addHelpText('after', help);
  const context = (): CommandContext => commandContextFrom(program.opts<GlobalOptions>(), io, statedReason(program));
  // Commands on the server itself need no credential. If the file of one is gone, a standby can still be promoted.
  const output = (): CommandContext['output'] => terminalOutput(program.opts<GlobalOptions>().json === true, io);
  program.commandsGroup('Operate:');
  addServerCommands(program, output);
  addStandby(program, output);
  addTenant(program, io, output);
  program.commandsGroup('Set up:');
  addSetUp(program, context);
  addIdentityCommands(program, context);
  addPeople(program, context);
  addIssuers(program, context);
  addTokens(program, context);
  addMfa(program, context);
  addEnvironments(program, context);
  addExecutors(program, context);
  addMcpServers(program, context);
  addRunners(program, context);
  addSecrets(program, context);
  addAutomations(program, context);
  addSiem(program, context);
  addEmbedder(program, context);
  addWebhooks(program, context);
  addLifecycleHooks(program, context);
  addApply(program, context);
  addImpact(program, context);
  addSlack(program, context);
  addIncidentSettings(program, context);
  program.commandsGroup('Submit:');
  addSubmit(program, context);
  addStages(program, context);
  addHook(program, context, io);
  program.commandsGroup('Decide:');
  addQueue(program, context);
  addReview(program, context);
  addComments(program, context);
  addPrecedents(program, context);
  addChanges(program, context);
  program.commandsGroup('Execute:');
  addRun(program, context);
  addWatch(program, context);
  addHalt(program, context);
  addBreakGlass(program, context);
  program.commandsGroup('Look:');
  addReading(program, context);
  addSessions(program, context);
  addShell(program, io);
  program.commandsGroup('Prove:');
  addAudit(program, context);
  addReports(program, context);
  addVerify(program, output, io.replay);
  program.commandsGroup('Commands:');
  addHelp(program);
  takeReasons(program);
  pointToHelp(program, program.name());
  return program;
}

/** `help audit export` shows the help of a command of a group, too. */
function addHelp(program: Command): void {
  program
    .command('help [command...]')
    .description('show the help of a command, also of one of a group')
    .action((names: readonly string[]) => {
      let named: Command = program;
      for (const name of names) {
        const next = named.commands.find((each) => each.name() === name);
        if (next === undefined) {
          explainWord(named, name);
          return;
        }
        named = next;
      }
      named.help();
    });
}

/**
 * Ends the message of a wrong command line with the commands of a group. Behind them is the way to the help of that very command.
 */
function pointToHelp(command: Command, path: string): void {
  const names = command.parent === null ? [] : command.commands.map((each) => each.name());
  const commands = names.length === 0 ? '' : `Its commands are ${names.join(', ')}. `;
  command.showHelpAfterError(`${commands}See ${path} --help.`);
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`);
}
