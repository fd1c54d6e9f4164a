import { InertText } from './agent-text.js';

interface ActorNameProps {
  readonly actor: { readonly kind: string; readonly display_name: string };
}

/** Who acted; what Countersign does by itself is its own, by the part that did it. */
export const ActorName = ({ actor: { kind, display_name: name } }: ActorNameProps) =>
  kind === 'system' ? <>Countersign ({name.replaceAll('-', ' ')})</> : <InertText text={name} />;
