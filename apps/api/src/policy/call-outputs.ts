import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { callOutputSchema } from '#lib/api-schemas';
import type { Principal, ToolCallId } from '#lib/kernel';
import { ReadCalls } from '#lib/runner-pool';
import { ReadCallOutput } from '#lib/tool-call';
import { unwrap } from '../http/index.js';

/** Reads the output of calls: agents send that of their calls, and runners keep that of theirs. */
@Injectable()
export class CallOutputs {
  constructor(
    private readonly reading: ReadCallOutput,
    private readonly runners: ReadCalls,
  ) {}

  /** @param after the number of the last chunk that is known. @throws {FailureError} `resource.not_found`. */
  async read(by: Principal, id: ToolCallId, after: number): Promise<z.infer<typeof callOutputSchema>> {
    const { answeredBy, chunks, open } = unwrap(await this.reading.execute(by, id, after));
    // A call that was sent again shows the output of its latest attempt.
    const latest = answeredBy === 'executor' ? (await this.runners.ofSource(by.tenantId, id)).at(-1) : undefined;
    if (latest !== undefined) {
      const seen = unwrap(await this.runners.output(by.tenantId, latest.id, after));
      return { chunks: [...seen.chunks], cut: seen.cut, open };
    }
    const shown = chunks.map(({ seq, stream, text }) => ({ seq, stream, text }));
    return { chunks: shown, cut: chunks.some(({ cut }) => cut), open };
  }
}
