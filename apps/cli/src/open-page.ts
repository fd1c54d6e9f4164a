import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/** Opens a page of ours in the person's browser, if the machine has one. Its address is to be printed as well. */
export function openPage(url: URL): void {
  const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [url.href], { detached: true, stdio: 'ignore' });
  opener.on('error', () => undefined);
  opener.unref();
}
