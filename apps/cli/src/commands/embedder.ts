import type { Command } from 'commander';
import pc from 'picocolors';
import type { EmbedderAtWorkView, EmbedderView } from '#lib/api-schemas';
import { upToMost } from '#lib/words';
import { Ended, EXIT } from '../exit-codes.js';
import { moment, oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { addConnectionCommands, authorityIn, etagNow } from './connection.js';
import { wholeNumberTo } from './read.js';

const standing = ({ error, error_at: at, answered_at: answered }: EmbedderView): string => {
  if (error !== null) return pc.yellow(`It has given no vector since ${moment(at ?? '')}: ${oneLine(error)}`);
  return answered === null ? 'It was not asked yet.' : `It last gave a vector at ${moment(answered)}.`;
};

const atLineStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const work = ({ waiting, next_try_at: next }: EmbedderAtWorkView): string =>
  [
    waiting === 0
      ? 'Every precedent has its vector.'
      : `${atLineStart(upToMost(waiting))} ${waiting === 1 ? 'precedent waits for its vector' : 'precedents wait for their vectors'}.`,
    ...(next === null ? [] : [`A worker asks again at ${moment(next)}.`]),
  ].join(' ');

const named = ({ url, model }: EmbedderView): string => `${pc.bold(oneLine(model))} at ${pc.bold(oneLine(url))}`;

/** `countersign embedder`: the server that gives texts vectors of their meaning. */
export function addEmbedder(program: Command, context: () => CommandContext): void {
  const embedder = program
    .command('embedder')
    .description('the server that gives texts vectors of their meaning, to find precedents by meaning');

  embedder
    .command('show')
    .description('show the embedder, its last error, and how many precedents wait for a vector')
    .addHelpText('after', '\nExample:\n  countersign embedder show\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/embedder');
      output.result(found, [
        `Vectors come from ${named(found)}, ${found.has_token ? 'with' : 'without'} a token.`,
        standing(found),
        work(found),
      ]);
    });

  embedder
    .command('set')
    .description('name the server that gives texts vectors, with the API of OpenAI')
    .argument('<url>', 'the https base of its API, without credentials and query')
    .requiredOption('--model <name>', 'the model, as the server names it')
    .option(
      '--dimensions <number>',
      'the length of a vector to ask for; the model decides without it',
      wholeNumberTo(4_096),
    )
    .option('--ca <file>', 'certificates in PEM; the embedder is checked against these only')
    .addHelpText(
      'after',
      '\nA second PlatformAdmin confirms an address under Changes. Then give its token: "countersign embedder token".\n\nExample:\n  countersign embedder set https://api.openai.com/v1 --model text-embedding-3-small\n',
    )
    .action(async (url: string, { model, dimensions, ca }: { model: string; dimensions?: number; ca?: string }) => {
      const { client, output } = context();
      const body = { url, model, dimensions: dimensions ?? null, ca: authorityIn(ca) };
      const ifMatch = await etagNow(client().get('/v1/embedder'));
      const set = await client().put('/v1/embedder', { body, ifMatch });
      output.result(
        set,
        guardedLines<EmbedderView>(set, (done) => [`Vectors come from ${named(done)}.`]),
      );
    });

  embedder
    .command('test')
    .description('ask for the vector of a fixed sentence')
    .addHelpText('after', '\nExample:\n  countersign embedder test\n')
    .action(async () => {
      const { client, output } = context();
      const test = await client().post('/v1/embedder/test');
      output.result(test, [
        test.error === null
          ? `It gave a vector of ${String(test.dimensions)} dimensions.`
          : pc.yellow(`It gave no vector: ${oneLine(test.error)}`),
      ]);
      if (test.error !== null) throw new Ended(EXIT.refused);
    });

  addConnectionCommands(embedder, context, {
    ...{ name: 'embedder', server: 'the embedder', path: '/v1/embedder' },
    removed: 'No text is sent to it any more.',
  });
}
