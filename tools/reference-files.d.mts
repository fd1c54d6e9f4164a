import type { Command } from 'commander';

/** Every generated file by its path in the repository, with its text. */
export declare function referenceFiles(
  schemaOf: (name: string) => Readonly<Record<string, unknown>>,
  ...programs: ((out: (text: string) => void) => Command)[]
): Readonly<Record<string, string>>;
