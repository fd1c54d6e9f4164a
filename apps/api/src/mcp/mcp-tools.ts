import { APPROVAL_TOOLS } from './approval-tools.js';
import type { McpTool } from './mcp-tool.js';
import { PLAN_TOOLS } from './plan-tools.js';
import { PRECEDENT_TOOLS } from './precedent-tools.js';
import { POLICY_TOOLS } from './policy-tools.js';
import { TOOL_CALL_TOOLS } from './tool-call-tools.js';

/** Every tool that MCP clients see. None of them approves, and none changes a guardrail. */
export const MCP_TOOLS: readonly McpTool[] = [
  ...PLAN_TOOLS,
  ...APPROVAL_TOOLS,
  ...TOOL_CALL_TOOLS,
  ...POLICY_TOOLS,
  ...PRECEDENT_TOOLS,
];
