import { readFileSync } from 'node:fs';

/** A tool that executes command lines, as a catalog has it. */
export const SHELL_TOOL = `
  shell:
    risk: state_change_nonprod
    idempotent: false
    scope: asset
    description: Executes a command line
    requires_plan: false
    effect: modify
    surface: terminal
    simulation: not_applicable
    shell: { argument: /command, shell: bash }
    executor: fleet
    parameters:
      type: object
      additionalProperties: false
      required: [command]
      properties: { command: { type: string } }
`;

/** The catalog of ADR-009 with that tool. */
export const SHELL_CATALOG = readFileSync('catalog/adr-009.yaml', 'utf8') + SHELL_TOOL;
