import { open } from 'node:fs/promises';
import type { TenantId } from '#lib/kernel';
import type { OcsfSink } from '../application/siem.ports.js';

/**
 * Appends lines to one file for all tenants. It is opened by its name each time, so that it can be rotated at any
 * moment. A process that died while it wrote may leave a part of a line. The next line begins on its own.
 */
export class OcsfFile implements OcsfSink {
  constructor(private readonly path: string) {}

  async write(_tenantId: TenantId, lines: readonly string[]): Promise<void> {
    const file = await open(this.path, 'a+', 0o640);
    try {
      const { size } = await file.stat();
      const cut = size > 0 && (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString() !== '\n';
      const text = `${cut ? '\n' : ''}${lines.join('\n')}\n`;
      // One write: the lines of another process come before or after them.
      const { bytesWritten } = await file.write(text);
      if (bytesWritten < Buffer.byteLength(text)) throw new Error(`${this.path} took only a part of the lines.`);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
