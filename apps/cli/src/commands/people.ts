import { Option, type Command } from 'commander';
import pc from 'picocolors';
import { isWaiting, type AnswerTo, type components, type MayWait } from '#lib/sdk';
import { requireAbsent } from '../new-file.js';
import { counted, moment, oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { stepUp } from '../step-up.js';
import { writeNewSecretFile } from '../token-files.js';
import { namedPerson, nameOfPerson, namesBehind } from '../who-asks.js';
import { guardedLines, waitingLines } from '../views/change-view.js';
import { pageLines, paged, type PageOptions } from './read.js';
import { keepToken, scopesOf } from './tokens.js';
import { idOfAddressed, idOfAgent, idOfPerson } from './work-filter.js';

type Person = components['schemas']['Person'];

const WHOM = 'their e-mail address or id';

/** People, agents and the credentials that they work with. A token goes into a new file of mode 0600, and nowhere else. */
export function addPeople(program: Command, context: () => CommandContext): void {
  addPersonCommands(program, context);
  addVouchCommand(program, context);
  addRoleCommands(program, context);
  addAgentCommands(program, context);
}

function addPersonCommands(program: Command, context: () => CommandContext): void {
  paged(program.command('people').description('list people and their roles'))
    .option('--without-issuer', 'only people known by no issuer: their access ends only if you take it away')
    .addHelpText('after', '\nExamples:\n  countersign people\n  countersign people --without-issuer\n')
    .action(async ({ withoutIssuer, ...page }: PageOptions & { readonly withoutIssuer?: boolean }) => {
      const { client, output } = context();
      const found = await client().get('/v1/people', {
        query: {
          ...{
            ...page,
            ...(withoutIssuer === true ? { without_issuer: 'true' as const } : {}),
          },
        },
      });
      const rows = found.items.map((person) => [
        person.id,
        marked(person.display_name, person.name_note),
        person.email ?? '',
        person.roles.map(({ role }) => role).join(' '),
        person.disabled_at === null ? (person.enrolled_at === null ? 'invited' : '') : 'disabled',
        votes(person),
        person.came_in_at === null ? 'never' : moment(person.came_in_at),
      ]);
      const lines = table(['person', 'name', 'e-mail', 'roles', '', 'vote', 'last signed in'], rows);
      output.result(found, pageLines('There is nobody.', lines, rows.length, found.next_cursor));
    });

  program
    .command('invite')
    .description('add a person with roles, and make the one-time token with which they enrol')
    .argument('<email>', 'their e-mail address')
    .requiredOption('--display-name <name>', 'their name')
    .option('--save-invitation <file>', 'keep the token in a file (mode 0600; must not exist), instead of a link')
    .addOption(
      new Option('--mail', 'have the server mail them the link, which nobody else is shown').conflicts(
        'saveInvitation',
      ),
    )
    .option('--role <role...>', 'PlatformAdmin, SRELead, DevOpsEngineer, SecurityReviewer or a role of your own')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign invite sam@acme.example --display-name Sam --role SRELead --mail\n  countersign invite sam@acme.example --display-name Sam --role SRELead\n  countersign invite sam@acme.example --display-name Sam --role SRELead --save-invitation sam.txt\nWithout --mail and without a file it prints the link, for you to hand over. With a token that you hand them, Sam then runs:\n  countersign enrol sam.txt --save-token ~/.countersign-token --scope read review run\n',
    )
    .action(async (email: string, options: InviteOptions) => {
      const { client, output } = context();
      const api = client();
      if (options.mail === true) {
        const roles = options.role ?? [];
        const mailed = await api.post('/v1/invitations/mailed', {
          body: { email, display_name: options.displayName, roles },
        });
        const next = `${oneLine(options.displayName)} opens the link in a browser; nobody else was shown it.`;
        output.result(mailed, [
          `The invitation is mailed to ${oneLine(email)}.`,
          ...guardedLines(mailed, ({ expires_at: until }) => [`It works once, until ${moment(until)}.`]),
          next,
        ]);
        return;
      }
      if (options.saveInvitation !== undefined) requireAbsent(options.saveInvitation);
      const person = await api.post('/v1/people', { body: { email, display_name: options.displayName } });
      const roles = options.role ?? [];
      const assigned: MayWait<Person>[] = [];
      for (const role of roles)
        assigned.push(await api.post('/v1/people/{id}/roles', { path: { id: person.id }, body: { role } }));
      const waiting = assigned.filter(isWaiting);
      const invitation = await api.post('/v1/people/{id}/enrolment', { path: { id: person.id } });
      const { shown, lines } = await handedOut(invitation, options.saveInvitation);
      output.result({ person_id: person.id, roles, waiting, expires_at: invitation.expires_at, ...shown }, [
        `${pc.bold('person')} ${person.id} ${oneLine(person.display_name)}: ${roles.map(oneLine).join(', ') || 'no role'}`,
        ...waiting.flatMap(waitingLines),
        ...lines,
      ]);
    });

  program
    .command('invite-again')
    .description('make the one-time token with which somebody who lost their credential enrols again')
    .argument('<person>', WHOM)
    .option('--save-invitation <file>', 'keep the token in a file (mode 0600; must not exist), instead of a link')
    .addHelpText(
      'after',
      '\nThe holder of the token becomes the person: it waits for a second person, and opens nothing until then.\n\nExample:\n  countersign invite-again sam@acme.example --save-invitation sam.txt\n',
    )
    .action(async (person: string, options: { saveInvitation?: string }) => {
      const { client, output } = context();
      if (options.saveInvitation !== undefined) requireAbsent(options.saveInvitation);
      const api = client();
      const id = await idOfAddressed(api, person);
      const invitation = await api.post('/v1/people/{id}/enrolment', { path: { id } });
      const { enrolment_token: _token, invitation_url: _link, ...answer } = invitation;
      const { shown, lines } = await handedOut(invitation, options.saveInvitation);
      output.result({ ...answer, ...shown }, lines);
    });
}

interface InviteOptions {
  readonly displayName: string;
  readonly saveInvitation?: string;
  readonly mail?: boolean;
  readonly role?: string[];
}

/** A name with its notes. */
const marked = (name: string, note: string | null): string => oneLine(note === null ? name : `${name} (${note})`);

function addVouchCommand(program: Command, context: () => CommandContext): void {
  program
    .command('vouch')
    .description('vouch for a person whom another admin let in: they get a vote of their own; takes your second factor')
    .argument('<person>', WHOM)
    .addHelpText(
      'after',
      '\nTalk to the person first, and have them read the fingerprint of their passkey to you from their settings. They are signed out, and keep that passkey alone. Their other second factors, recovery codes, tokens, Slack links, open invitations and delegations end. The tokens that were made in their name for agents end, too. You cannot vouch for somebody who came in by your own token, or by the hand that let you in.\n\nExample:\n  countersign vouch sam@acme.example --fingerprint "01234 56789 01234 56789 01234 56789"\n',
    )
    .requiredOption('--fingerprint <digits>', 'of the passkey, as they read it to you')
    .action(async (person: string, { fingerprint }: { fingerprint: string }) => {
      const { client, output, io } = context();
      const api = client();
      const id = await idOfAddressed(api, person);
      const step_up_id = await stepUp(api, { output, io }, { kind: 'vouch', person_id: id, fingerprint });
      const known = await api.post('/v1/people/{id}/vouch', {
        path: { id },
        body: { fingerprint, step_up_id },
      });
      const { revoked_tokens: tokens, invitations, factors, delegations } = known.ended;
      const ended = [
        counted(tokens, 'browser session or token', 'browser sessions and tokens'),
        counted(factors, 'other second factor'),
        counted(invitations, 'open invitation'),
        counted(delegations, 'delegation'),
      ];
      output.result(known, [
        `${oneLine(known.display_name)} has a vote of their own, on what is asked from now on.`,
        `Ended: ${ended.join(', ')}. They sign in again with the passkey that you compared.`,
      ]);
    });
}

type Invitation = AnswerTo<'post', '/v1/people/{id}/enrolment'>;

/** Hands the invitation out: the token in a file, and nowhere else; without a file the link, which carries it, too. */
async function handedOut(
  invitation: Invitation,
  file: string | undefined,
): Promise<{ readonly shown: object; readonly lines: string[] }> {
  const { enrolment_token: token, invitation_url: url } = invitation;
  if (file === undefined)
    return {
      shown: { invitation_url: url },
      lines: [
        ...invitationLines(invitation, 'This link lets them in'),
        url,
        'Hand it to them, and to nobody else: until they are known otherwise, you and they share one vote.',
      ],
    };
  await writeNewSecretFile(file, token);
  return {
    shown: { file },
    lines: [
      ...invitationLines(invitation, `Their enrolment token is in ${file}`),
      `next: they run countersign enrol ${file} --save-token FILE --scope read review run`,
    ],
  };
}

function invitationLines(invitation: Invitation, what: string): string[] {
  if (isWaiting(invitation))
    return [...waitingLines(invitation), `${what}; it opens nothing until the change is confirmed.`];
  return guardedLines(invitation, ({ expires_at: until }) => [`${what}; it works once, until ${moment(until)}.`]);
}

/** Whether the person has a vote of their own, or the people that share it. */
function votes({ standing }: Person): string {
  if (standing === undefined || standing.known_by.length === 0) return '';
  const shared = standing.shares_vote_with.map(({ display_name: name }) => oneLine(name));
  return shared.length === 0 ? 'own' : `with ${shared.join(', ')}`;
}

function addRoleCommands(program: Command, context: () => CommandContext): void {
  const role = program.command('role').description('the roles of people');

  role
    .command('assign')
    .description('assign a role; it waits for a second person')
    .argument('<person>', WHOM)
    .argument('<role>', 'PlatformAdmin, SRELead, DevOpsEngineer, SecurityReviewer or a role of your own')
    .addHelpText('after', '\nExample:\n  countersign role assign sam@acme.example SRELead\n')
    .action(async (person: string, name: string) => {
      const { client, output } = context();
      const api = client();
      const id = await idOfAddressed(api, person);
      const assigned = await api.post('/v1/people/{id}/roles', { path: { id }, body: { role: name } });
      output.result(
        assigned,
        guardedLines(assigned, (done) => [`${oneLine(done.display_name)} holds ${oneLine(name)}.`]),
      );
    });

  role
    .command('revoke')
    .description('take a role away, at once')
    .argument('<person>', WHOM)
    .argument('<role>', 'the role')
    .addHelpText('after', '\nExample:\n  countersign role revoke sam@acme.example SRELead\n')
    .action(async (person: string, name: string) => {
      const { client, output } = context();
      const api = client();
      const id = await idOfAddressed(api, person);
      await api.delete('/v1/people/{id}/roles/{role}', { path: { id, role: name } });
      output.result({ person_id: id, role: name, revoked: true }, [`${oneLine(name)} is taken away.`]);
    });
}

function addAgentCommands(program: Command, context: () => CommandContext): void {
  paged(program.command('agents').description('list agents and the people who answer for them'))
    .addHelpText('after', '\nExample:\n  countersign agents\n')
    .action(async (page: PageOptions) => {
      const { client, output } = context();
      const api = client();
      const found = await api.get('/v1/agents', { query: { ...{ ...page } } });
      const owners = await namesBehind(
        api,
        found.items.map((agent) => agent.owner_id),
        nameOfPerson,
      );
      const rows = found.items.map((agent) => [
        agent.id,
        marked(agent.name, agent.name_note),
        owners.get(agent.owner_id) ?? '',
        agent.disabled_at === null ? '' : 'disabled',
      ]);
      const lines = table(['agent', 'name', 'answered for by', ''], rows);
      output.result(found, pageLines('There is no agent.', lines, rows.length, found.next_cursor));
    });

  program
    .command('agent-register')
    .description('register an agent that a person answers for')
    .argument('<name>', 'its name')
    .requiredOption(
      '--owner <person>',
      'the person who answers for it, and never reviews its requests: their address, name or id',
    )
    .option('--description <text>', 'its purpose')
    .addHelpText('after', '\nExample:\n  countersign agent-register drift-bot --owner sam@acme.example\n')
    .action(async (name: string, options: { owner: string; description?: string }) => {
      const { client, output } = context();
      const api = client();
      const agent = await api.post('/v1/agents', {
        body: {
          name,
          owner_id: await idOfPerson(api, options.owner),
          ...(options.description === undefined ? {} : { description: options.description }),
        },
      });
      const { items } = await api.get('/v1/agents/{id}/reviewers', { path: { id: agent.id } });
      const warnings = items.flatMap(({ warning }) => warning ?? []);
      output.result({ ...agent, warnings }, [
        `${pc.bold('agent')} ${agent.id} ${oneLine(agent.name)}`,
        ...warnings.map((warning) => pc.yellow(`warning: ${oneLine(warning)}`)),
        `next: countersign agent-token ${agent.id} --scope read submit run --save-token FILE`,
      ]);
    });

  program
    .command('agent-hand-over')
    .description('make another person answer for an agent; it waits for a second person')
    .argument('<agent>', 'its name or id')
    .requiredOption('--owner <person>', 'who answers for it from then on: their address, name or id')
    .addHelpText('after', '\nExample:\n  countersign agent-hand-over drift-bot --owner sam@acme.example\n')
    .action(async (agent: string, options: { owner: string }) => {
      const { client, output } = context();
      const api = client();
      const changed = await api.patch('/v1/agents/{id}', {
        path: { id: await idOfAgent(api, agent) },
        body: { owner_id: await idOfPerson(api, options.owner) },
      });
      // A name is a person's own choice: the line tells of the person in the answer.
      const lines = isWaiting(changed)
        ? []
        : [`${await namedPerson(api, changed.owner_id)} answers for ${oneLine(changed.name)}.`];
      output.result(
        changed,
        guardedLines(changed, () => lines),
      );
    });

  program
    .command('agent-token')
    .description('make a credential for an agent; it can never review')
    .argument('<agent>', 'its name or id')
    .requiredOption('--save-token <file>', 'the file to keep it in (mode 0600; must not exist)')
    .option('--scope <scope...>', 'its scopes; read if left out')
    .option('--name <name>', 'where it is used', 'command line')
    .option('--on-my-behalf', 'a delegation: the agent then acts for you')
    .addHelpText(
      'after',
      '\nExample:\n  countersign agent-token drift-bot --scope read submit run --save-token drift-bot.token\n',
    )
    .action(async (agent: string, options: AgentTokenOptions) => {
      const { client, output } = context();
      const api = client();
      requireAbsent(options.saveToken);
      const id = await idOfAgent(api, agent);
      const body = { name: options.name, ...(options.scope === undefined ? {} : { scopes: scopesOf(options.scope) }) };
      const minted = await (options.onMyBehalf === true
        ? api.post('/v1/agents/{id}/delegations', { path: { id }, body })
        : api.post('/v1/agents/{id}/tokens', { path: { id }, body }));
      await keepToken(minted, options.saveToken, output);
    });
}

interface AgentTokenOptions {
  readonly saveToken: string;
  readonly scope?: string[];
  readonly name: string;
  readonly onMyBehalf?: boolean;
}
