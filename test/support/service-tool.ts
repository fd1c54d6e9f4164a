/** An autonomy document by which changes of staging need no person. */
export const STAGING_ALONE = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
`;

/** A tool of the fleet that takes the name of a service, by which it is identified. */
export const serviceTool = (effect: string, risk: string) => ({
  ...{ description: 'Does it.', effect, risk, idempotent: true, scope: 'asset', executor: 'fleet' },
  ...(effect === 'modify' ? { simulation: 'not_applicable', requires_plan: false, requires_hitl: 'configurable' } : {}),
  parameters: {
    type: 'object',
    properties: { service: { type: 'string', maxLength: 100 } },
    required: ['service'],
    additionalProperties: false,
  },
  identity_fields: ['/service'],
});
