import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';

/** The exit code and the output of a command line, without colours. */
export interface Ran {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

/** A person's answer to a question, given the text on the terminal; an empty answer ends the input. */
export type Types = (asked: string) => string;

/** Runs a command line in this process: everything of it but the start of its program. */
export async function commandLine(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  types: Types = () => '',
): Promise<Ran> {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(argv, {
    environment,
    out: (text) => (out += text),
    err: (text) => (err += text),
    readLine: () => {
      const typed = types(stripVTControlCharacters(err));
      return Promise.resolve(typed === '' ? null : typed);
    },
    readAll: () => Promise.resolve(''),
    pieces: () => Readable.from([]),
    replay: (job) => Promise.resolve(replayDecisions(job)),
  });
  return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
}
