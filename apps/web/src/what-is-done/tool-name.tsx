import type { ShownSide } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';

/** A tool, its version, and the destination of the call. */
export const ToolName = ({ tool }: { readonly tool: ShownSide['tool'] }) => (
  <span>
    <code className="font-mono font-semibold">
      <InertText text={tool.name} />
      <span className="font-normal text-muted">@{tool.version}</span>
    </code>{' '}
    <span className="text-muted">
      on executor <InertText text={tool.executor} />
    </span>
  </span>
);
