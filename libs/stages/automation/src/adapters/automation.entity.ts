import { entity, integer, moment, nullable, text, uuid } from '#lib/database';
import type { Digest, PersonId, SafeToolId } from '#lib/kernel';
import type { AcceptedTool } from '../domain/safe-tool.js';

export const automationSafeToolEntity = entity(
  'automation_safe_tool',
  { id: uuid<SafeToolId>() },
  {
    tool: text(),
    version: integer(),
    digest: text<Digest>(),
    effect: text<AcceptedTool['effect']>(),
    risk: text<AcceptedTool['risk']>(),
    addedBy: uuid<PersonId>(),
    addedAt: moment(),
    removedBy: nullable(uuid<PersonId>()),
    removedAt: nullable(moment()),
    seal: text(),
  },
);
