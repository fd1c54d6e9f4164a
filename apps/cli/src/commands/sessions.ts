import { Option, type Command } from 'commander';
import pc from 'picocolors';
import { MAX_CALLS_PER_SESSION, SESSION_STATES, type SessionState } from '#lib/formats';
import { SESSION_LEVELS, SESSION_MODES, SESSION_PRESETS } from '#lib/policy-inputs';
import type { CountersignClient } from '#lib/sdk';
import { followSession } from '../follow-session.js';
import { openPage } from '../open-page.js';
import { indented } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { callLines, messageLine, sessionLines, sessionTable, trustLines } from '../views/session-view.js';
import { addEvidence } from './evidence.js';
import { pageLines, paged, wholeNumberTo, type PageOptions } from './read.js';
import { idOfAgent } from './work-filter.js';

interface Settings {
  readonly callBudget?: number;
  readonly preset?: (typeof SESSION_PRESETS)[number];
  readonly level?: (typeof SESSION_LEVELS)[number];
  readonly mode?: (typeof SESSION_MODES)[number];
}

const withSettings = (command: Command): Command =>
  command
    .addOption(new Option('--preset <preset>', 'the rules that say which calls ask a person').choices(SESSION_PRESETS))
    .addOption(new Option('--level <level>', 'for the preset levels').choices(SESSION_LEVELS))
    .addOption(new Option('--mode <mode>', 'for the preset modes').choices(SESSION_MODES))
    .option('--call-budget <calls>', 'the most calls of the session', wholeNumberTo(MAX_CALLS_PER_SESSION));

const bodyOf = <Body extends Settings>({ callBudget, ...body }: Body) => ({
  ...body,
  ...(callBudget === undefined ? {} : { call_budget: callBudget }),
});

/** `countersign session`: the sessions in which agents call one tool after another. */
export function addSessions(program: Command, context: () => CommandContext): void {
  const sessions = program
    .command('session')
    .description('sessions of agents: list, open, show, follow, change and end them');

  paged(sessions.command('list').description('list sessions, newest first'))
    .addOption(new Option('--state <state>', 'only in this state').choices(SESSION_STATES))
    .option('--agent <agent>', 'only of this agent: its name or id')
    .addHelpText('after', '\nExamples:\n  countersign session list --state open\n')
    .action(async ({ limit, cursor, state, agent }: PageOptions & { state?: SessionState; agent?: string }) => {
      const { client, output } = context();
      const api = client();
      const agent_id = agent === undefined ? undefined : await idOfAgent(api, agent);
      const page = await api.get('/v1/sessions', { query: { limit, cursor, state, agent_id } });
      const lines = sessionTable(page.items);
      output.result(page, pageLines('There is no such session.', lines, page.items.length, page.next_cursor));
    });

  withSettings(sessions.command('open').description('open a session; an agent opens it for itself'))
    .requiredOption('--environment <name>', 'the environment of every call in it')
    .option('--agent <agent...>', 'the agents that will call tools in it: names or ids')
    .option('--model <model>', 'the model behind the agent; it decides nothing')
    .addHelpText(
      'after',
      '\nExample:\n  countersign session open --environment staging --agent fixer --preset levels --level CAUTIOUS\n',
    )
    .action(async (options: Settings & { environment: string; agent?: readonly string[]; model?: string }) => {
      const { client, output } = context();
      const api = client();
      const { agent, ...body } = options;
      const agents = agent && (await Promise.all(agent.map((called) => idOfAgent(api, called))));
      const opened = await api.post('/v1/sessions', { body: { ...bodyOf(body), agent_ids: agents } });
      output.result(opened, [
        ...sessionLines(opened, await agentNames(api, opened.agent_ids)),
        `next: countersign session follow ${opened.id}`,
      ]);
    });

  sessions
    .command('show')
    .description('show a session, its calls that wait, its last calls, and each "always" that is in force')
    .argument('<session>', 'the session')
    .addHelpText('after', '\nExample:\n  countersign session show SESSION\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const api = client();
      const path = { id };
      const shown = await api.get('/v1/sessions/{id}', { path });
      const calls = await api.get('/v1/sessions/{id}/tool-calls', { path, query: { limit: 20 } });
      // Any number of newer calls may stand before the ones that wait.
      const waiting = await api.get('/v1/sessions/{id}/tool-calls', { path, query: { state: 'pending', limit: 200 } });
      const trusts = await api.get('/v1/sessions/{id}/trusts', { path, query: { limit: 200 } });
      output.result({ ...shown, waiting: waiting.items, calls: calls.items, trusts: trusts.items }, [
        ...sessionLines(shown, await agentNames(api, shown.agent_ids)),
        ...trustLines(trusts.items),
        ...(waiting.items.length === 0 ? [] : ['calls that wait for an answer:']),
        ...indented(callLines(waiting.items)),
        ...(calls.items.length === 0 ? ['No call was made in it.'] : ['calls, newest first:']),
        ...indented(callLines(calls.items)),
      ]);
    });

  sessions
    .command('follow')
    .description('tell what happens in a session until it has ended')
    .argument('<session>', 'the session')
    .option('--open', 'open its page in your browser when a call waits for an answer')
    .addHelpText(
      'after',
      '\nCalls are answered on the page of the session: a token answers none. With --json every line is one message of the session’s WebSocket.\n\nExample:\n  countersign session follow SESSION --open\n',
    )
    .action(async (id: string, { open }: { open?: boolean }) => {
      const { client, access, output } = context();
      const api = client();
      const shown = await api.get('/v1/sessions/{id}', { path: { id } });
      output.note(sessionLines(shown, await agentNames(api, shown.agent_ids)).join('\n'));
      const page = pageOf(access().baseUrl, id);
      output.note(pc.dim(`Answer calls that wait on ${page.href}`));
      let opened = open !== true;
      for await (const message of followSession(access(), id)) {
        output.event(message, messageLine(message));
        if (message.type !== 'tool_approve_request' || Date.parse(message.expiresAt) <= Date.now()) continue;
        output.note(pc.yellow(`answer it on ${page.href}`));
        if (!opened) openPage(page);
        opened = true;
      }
    });

  withSettings(
    sessions.command('change').description('change which calls ask a person, or the budget; a token only tightens'),
  )
    .argument('<session>', 'the session')
    .addHelpText(
      'after',
      '\nTo loosen a session, open its page in a browser.\n\nExample:\n  countersign session change SESSION --level MANUAL\n',
    )
    .action(async (id: string, settings: Settings) => {
      const { client, output } = context();
      const api = client();
      const changed = await api.patch('/v1/sessions/{id}', { path: { id }, body: bodyOf(settings) });
      output.result(changed, sessionLines(changed, await agentNames(api, changed.agent_ids)));
    });

  sessions
    .command('end')
    .description('end a session; calls that wait in it are denied')
    .argument('<session>', 'the session')
    .option('--cancel', 'because something is wrong')
    .addHelpText('after', '\nExample:\n  countersign session end SESSION --cancel\n')
    .action(async (id: string, { cancel }: { cancel?: boolean }) => {
      const { client, output } = context();
      const api = client();
      const body = { reason: cancel === true ? ('cancelled' as const) : ('closed' as const) };
      const ended = await api.post('/v1/sessions/{id}/end', { path: { id }, body });
      output.result(ended, sessionLines(ended, await agentNames(api, ended.agent_ids)));
    });

  addEvidence(sessions, context, 'session');
}

/** The page on which a person answers calls of a session. */
const pageOf = (baseUrl: string, id: string): URL => new URL(`/sessions/${id}`, baseUrl);

const agentNames = (api: CountersignClient, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await api.get('/v1/agents/{id}', { path: { id } })).name));
