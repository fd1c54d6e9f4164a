import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import pc from 'picocolors';
import { parseNoteKey, verifyPack, type NoteKey, type Replay, type VerificationReport } from '#lib/verifier';
import { CommandError, Ended, EXIT } from '../exit-codes.js';
import { safe, type Output } from '../output.js';

interface VerifyOptions {
  readonly key: readonly string[];
  readonly checkpoint?: string;
  readonly proof?: string;
}

/** `countersign verify`: no server, no network, no database, and nothing of the server's code. */
export function addVerify(program: Command, outputOf: () => Output, replay: Replay): void {
  program
    .command('verify')
    .description('check an evidence pack offline; names the first thing that fails')
    .argument('<pack>', 'the evidence pack')
    .requiredOption(
      '--key <key>',
      'a trusted audit key, or a file with one key a line; repeatable',
      (value, all: string[]) => [...all, value],
      [],
    )
    .option(
      '--checkpoint <file>',
      'a checkpoint note that was kept outside: shows that history was not rewritten since',
    )
    .option('--proof <file>', 'a consistency proof for that checkpoint, as GET /v1/audit/consistency answers')
    .addHelpText(
      'after',
      '\nExample:\n  countersign verify evidence.json --key audit-keys.txt --checkpoint checkpoint.txt\n',
    )
    .action(async (path: string, options: VerifyOptions) => {
      const external =
        options.checkpoint === undefined
          ? {}
          : { externalCheckpoint: checkpointFrom(options.checkpoint, options.proof) };
      const trustedKeys = options.key.flatMap(keysFrom);
      const report = await verifyPack(readBytes(path), { trustedKeys, replay, ...external });
      outputOf().result(report, linesOf(report));
      if (!report.ok) throw new Ended(EXIT.unverified);
    });
}

function linesOf(report: VerificationReport): string[] {
  const passed = report.passed.map((line) =>
    line.startsWith('BREAK-GLASS') ? pc.red(pc.bold(`!!    ${safe(line)}`)) : `${pc.green('ok')}    ${safe(line)}`,
  );
  if (report.failure !== null) {
    const { code, message, pointer } = report.failure;
    return [
      ...passed,
      `${pc.red('FAIL')}  ${safe(message)}`,
      `      ${code}${pointer === '' ? '' : ` at ${safe(pointer)}`}`,
      '',
      pc.red('The pack does not verify.'),
    ];
  }
  const erased =
    report.erasedPayloads === 0 ? '' : `, ${String(report.erasedPayloads)} payloads erased under the retention rule`;
  return [
    ...passed,
    '',
    `${pc.green('Verified.')} ${String(report.entries.length)} entries and ${String(report.documents.length)} documents about plan ${safe(report.planId ?? '')}${erased}.`,
  ];
}

/** A key is `<name>+<hash>+<base64>`; whatever else is a file of such lines. */
function keysFrom(value: string): NoteKey[] {
  const direct = parseNoteKey(value);
  if (direct !== null) return [direct];
  const lines = readBytes(value)
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const key = parseNoteKey(line);
    if (key === null)
      throw new CommandError(
        EXIT.usage,
        `${value} holds something that is not an audit key.`,
        'A key reads <name>+<hash>+<base64>, as GET /v1/audit/keys shows it.',
      );
    return key;
  });
}

function checkpointFrom(file: string, proofFile: string | undefined): { note: string; proof?: readonly string[] } {
  const note = readBytes(file).toString('utf8');
  if (proofFile === undefined) return { note };
  const { proof } = JSON.parse(readBytes(proofFile).toString('utf8')) as { proof?: unknown };
  if (!Array.isArray(proof) || !proof.every((hash) => typeof hash === 'string')) {
    throw new CommandError(
      EXIT.usage,
      `${proofFile} is not a consistency proof.`,
      'Keep the answer of GET /v1/audit/consistency as it came.',
    );
  }
  return { note, proof };
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new CommandError(EXIT.usage, `${file} cannot be read.`, 'See that the file is there and readable.');
  }
}
