import { InertText } from './agent-text.js';

interface ActorNameProps {
  readonly actor: { readonly kind: string; readonly display_name: string };
}

/** The actor; for an action of Countersign itself, the name of its part. */
export const ActorName = ({ actor: { kind, display_name: name } }: ActorNameProps) =>
  kind === 'system' ? <>Countersign ({name.replaceAll('-', ' ')})</> : <InertText text={name} />;
