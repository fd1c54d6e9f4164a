import { Injectable } from '@nestjs/common';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { ExecutorDocument, ToolDefinition } from '#lib/formats';
import type { Principal } from '#lib/kernel';
import { ListEnvironments } from '#lib/tenancy';
import { ownAudience, ReadRegistry, type ExecutorInEnvironment } from '#lib/tool';
import { unwrap } from '../http/index.js';
import { ALL_ENVIRONMENTS } from './document-kinds.js';

/** The autonomy document is kept byte for byte, and read at /v1/autonomy. */
export const writtenPartSchema = z.enum(['environments', 'tools', 'executors']);
export type WrittenPart = z.infer<typeof writtenPartSchema>;

/** Writes the current configuration as the documents that describe it. */
@Injectable()
export class WriteConfiguration {
  constructor(
    private readonly listing: ListEnvironments,
    private readonly registry: ReadRegistry,
  ) {}

  async execute(by: Principal, part: WrittenPart): Promise<string> {
    if (part === 'tools') {
      const tools = await this.registry.list(by);
      return yaml({ tools: Object.fromEntries(tools.map(({ name, definition }) => [name, toolDocument(definition)])) });
    }
    const environments = await this.listing.execute(by.tenantId, ALL_ENVIRONMENTS);
    if (part === 'environments')
      return yaml({
        environments: Object.fromEntries(environments.map(({ name, production }) => [name, { production }])),
      });
    const executors: Record<string, Record<string, ExecutorDocument>> = {};
    for (const { name } of environments) {
      const found = unwrap(await this.registry.executorsOf(by, name));
      if (found.length > 0)
        executors[name] = Object.fromEntries(found.map((each) => [each.executor.name, executorDocument(by, each)]));
    }
    return yaml({ executors });
  }
}

/** A block a level, long texts unfolded. */
const yaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** The name stands as its key. */
const toolDocument = ({ name: _name, ...definition }: ToolDefinition): object => definition;

/** Agents do not read the names of secrets. The audience that the name gives is left out. */
const executorDocument = (by: Principal, { environment, executor }: ExecutorInEnvironment): ExecutorDocument => ({
  kind: executor.kind,
  ...(executor.url === null ? {} : { url: executor.url }),
  ...(executor.audience === ownAudience({ name: executor.name, environment }) ? {} : { audience: executor.audience }),
  ...(executor.sharedAudience ? { shared_audience: true } : {}),
  ...(executor.secret === null || by.kind !== 'person' ? {} : { secret: executor.secret }),
  ...executor.settings,
});
