import { InvalidArgumentError, type Command } from 'commander';
import pc from 'picocolors';
import type { RetentionView } from '#lib/api-schemas';
import { AUDIT_LEVELS } from '#lib/formats';
import { readText } from '../documents.js';
import { fields, moment, oneLine, safe, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';

/** `countersign audit entry`, `retention` and `epoch`. */
export function addAuditLog(audit: Command, context: () => CommandContext): void {
  audit
    .command('entry')
    .description('show one entry, with the proof that the log holds it')
    .argument('<id>', 'the entry')
    .addHelpText('after', '\nExamples:\n  countersign audit entry ID\n  countersign --json audit entry ID\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const entry = await client().get('/v1/audit/entries/{id}', { path: { id } });
      const { header, payload, proof } = entry;
      output.result(entry, [
        `${pc.bold('entry')} ${header.id}: ${oneLine(header.action)}`,
        ...fields([
          ['at', moment(header.occurred_at)],
          ['by', oneLine(`${header.actor.display_name} (${header.actor.kind})`)],
          ['of', oneLine(`${header.subject.type} ${header.subject.id}`)],
          ['level', header.level],
          [
            'proof',
            proof === null
              ? 'not yet: it is sequenced in a moment'
              : `leaf ${String(proof.leaf_index)} of epoch ${String(proof.epoch)}, checkpoint over ${String(proof.checkpoint.tree_size)}`,
          ],
        ]),
        ...(payload === undefined
          ? ['Its payload is not there: it was erased by the retention rule.']
          : safe(JSON.stringify(payload, null, 2)).split('\n')),
      ]);
    });

  const retention = audit.command('retention').description('how long payloads are kept, by audit level');
  retention
    .command('show')
    .description('show the days by level')
    .addHelpText('after', '\nExample:\n  countersign audit retention show\n')
    .action(async () => {
      const { client, output } = context();
      const rule = await client().get('/v1/audit/retention');
      output.result(rule, ruleLines(rule));
    });
  retention
    .command('set')
    .description('set the days of some levels; to keep one less long waits for a second person')
    .argument('<level=days...>', `${AUDIT_LEVELS.join(', ')}, each a number of days or forever`, collected, {})
    .addHelpText(
      'after',
      '\nLevels that are left out stay as they are. Each is kept at least as long as the one before it.\n\nExamples:\n  countersign audit retention set basic=90 detailed=90\n  countersign audit retention set critical=forever\n',
    )
    .action(async (wanted: Rule) => {
      const { client, output } = context();
      const api = client();
      const { keep_days: now } = await api.get('/v1/audit/retention');
      const set = await api.put('/v1/audit/retention', { body: { keep_days: { ...now, ...wanted } } });
      output.result(set, guardedLines(set, ruleLines));
    });

  audit
    .command('epoch')
    .description('after a restore from a backup: ask for a new epoch of the log; it waits for a second person')
    .requiredOption('--reason <text>', 'which backup was restored, and on whose decision')
    .option('--last-published <file>', 'the last checkpoint that stands outside, as you hold it')
    .addHelpText(
      'after',
      "\nGrants and approvals from before are refused then, runs and automations are paused, and executions of hooks end. On the server, `countersign restored` waits for nobody.\n\nExample:\n  countersign audit epoch --reason 'The backup of noon, decided by Noor' --last-published checkpoint.txt\n",
    )
    .action(async (options: { reason: string; lastPublished?: string }) => {
      const { client, output } = context();
      const last = options.lastPublished === undefined ? null : await readText(options.lastPublished);
      const started = await client().post('/v1/audit/epochs', {
        body: { reason: options.reason, last_published: last },
      });
      output.result(
        started,
        guardedLines(started, ({ epoch }) => [`Epoch ${String(epoch)} of the audit log counts from now on.`]),
      );
    });
}

const ruleLines = ({ keep_days: days }: RetentionView): string[] =>
  table(
    ['level', 'payloads are kept'],
    AUDIT_LEVELS.map((level) => [level, days[level] === null ? 'for ever' : `${String(days[level])} days`]),
  );

type Rule = Partial<RetentionView['keep_days']>;

/** @throws {InvalidArgumentError} if the text is not `level=days`. */
function collected(text: string, before: Rule): Rule {
  const [name = '', days = '', ...more] = text.split('=');
  const level = AUDIT_LEVELS.find((one) => one === name);
  if (level === undefined || more.length > 0 || !/^(forever|[0-9]{1,5})$/.test(days))
    throw new InvalidArgumentError(`Write level=days, such as basic=90 or critical=forever; not ${oneLine(text)}.`);
  return { ...before, [level]: days === 'forever' ? null : Number(days) };
}
