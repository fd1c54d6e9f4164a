import { open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '#lib/folders';

/** The file of the bootstrap token of a server on this machine: readable by its operator alone. */
export async function bootstrapTokenFile(): Promise<string> {
  const { dataDirectory, packageRoot } = await import('#lib/database');
  return join(dataDirectory(process.env, packageRoot()), 'bootstrap-token');
}

export const readSecretFile = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim();

/** Puts a secret in a file of mode 0600, in place of the former content. */
export async function replaceSecretFile(file: string, secret: string): Promise<void> {
  await makeFolder(dirname(file));
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Keeps a credential in the file that the next command reads. A file that is there already is not touched (EEXIST). */
export async function writeNewSecretFile(file: string, secret: string): Promise<void> {
  await makeFolder(dirname(file));
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
}
