import type { z } from 'zod';
import { ownMember } from '#lib/canonical';
import { autonomyDocumentSchema, type AutonomyDocument } from '#lib/formats';
import { err, ok, type FieldError, type Result } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import { explainIssue, keysAt, positionOf, pointerOf, valueAt } from './explain-issue.js';
import { parseYaml, type ParsedYaml } from './parse-yaml.js';

/** A well-formed document with the positions of its values. */
export interface SourcedDocument {
  readonly document: AutonomyDocument;
  readonly yaml: ParsedYaml;
}

const MAX_ERRORS = 20;

/** The reasons why a value would open the gate, by its key. */
const OPENS: Readonly<Record<string, string>> = {
  allowed_approvers: 'An empty list of approvers would leave nobody to ask.',
  allowed_roles: 'An empty list of roles: leave the key out, and nobody may invoke break-glass.',
  quorum: 'An empty quorum would ask for nobody.',
  roles: 'A slot without roles could be filled by nobody.',
  count: 'A count below one would ask for nobody.',
  requires_mfa: 'Break-glass always needs a second factor.',
  requires_justification: 'Break-glass always needs a justification.',
  auto_creates_incident: 'Break-glass always opens an incident.',
  audit_level: 'Break-glass is always audited as critical.',
};

/** Reads an autonomy document. Every error has line, column and, for a likely typo, a suggestion. */
export function readDocument(source: string): Result<SourcedDocument, readonly FieldError[]> {
  const parsed = parseYaml(source);
  if (!parsed.ok) return parsed;
  const yaml = parsed.value;
  const checked = autonomyDocumentSchema.safeParse(yaml.value, { error: wordsOfIssue });
  if (checked.success) return ok({ document: checked.data, yaml });
  return err(
    inReadingOrder(checked.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => errorsOf(issue, yaml))).slice(
      0,
      MAX_ERRORS,
    ),
  );
}

/** Errors in the order of the text. */
export const inReadingOrder = (errors: readonly FieldError[]): FieldError[] =>
  errors.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));

function errorsOf(issue: z.core.$ZodIssue, yaml: ParsedYaml): FieldError[] {
  const path = issue.path.map(String);
  const value = valueAt(yaml.value, path);
  const key = path.findLast((token) => !/^\d+$/.test(token)) ?? '';
  const opens = ownMember(OPENS, key);
  const dangerous =
    issue.code === 'too_small' || (issue.code === 'invalid_value' && (value === false || key === 'audit_level'));
  if (value === undefined || opens === undefined || !dangerous)
    return explainIssue(issue, { area: 'autonomy', schema: autonomyDocumentSchema, value: yaml.value, yaml, homeOf });
  return [
    {
      pointer: pointerOf(path),
      code: 'autonomy.opens_the_gate',
      message: opens,
      ...positionOf(pointerOf(path), yaml),
      ...(issue.code === 'invalid_value' ? { suggestion: String(issue.values[0]) } : {}),
    },
  ];
}

/** The right place of a key that belongs elsewhere in the document. */
function homeOf(key: string, path: readonly string[]): string | undefined {
  const blocks: readonly (readonly string[])[] = [
    [],
    ['autonomy'],
    ['autonomy', 'environments', '<environment>'],
    ['autonomy', 'tool_overrides', '<tool>'],
    ['emergency_override'],
    ['freezes', '<freeze>'],
  ];
  const home = blocks.find(
    (block) => block.join('.') !== path.join('.') && keysAt(autonomyDocumentSchema, block, {}).includes(key),
  );
  return home === undefined ? undefined : [...home, key].join('.');
}
