/** What is shown at a place: the message kept up to date, a word in its thread, or a word that stands alone, as to whoever asked. */
export type Showing = 'subject' | 'thread' | 'requester';

/** Where a message goes, as the outbox keeps it: `slack:C012:subject`, `email:<person>:subject`, `push:<subscription>:subject`. */
export type Place = `${'slack' | 'email' | 'push' | 'address'}:${string}:${Showing}`;

export interface PlaceParts {
  readonly kind: 'slack' | 'email' | 'push' | 'address';
  /** A channel or user of Slack, a person, a push subscription, or a mail address. */
  readonly target: string;
  readonly showing: Showing;
}

const PLACE = /^(slack|email|push|address):(.{1,254}):(subject|thread|requester)$/;

export const place = (kind: PlaceParts['kind'], target: string, showing: Showing): Place =>
  `${kind}:${target}:${showing}`;

/** @throws where the text is no place, which the outbox never holds. */
export function readPlace(text: string): PlaceParts {
  const [, kind, target, showing] = PLACE.exec(text) ?? [];
  if (kind === undefined || target === undefined || showing === undefined) throw new Error(`"${text}" is no place`);
  return { kind: kind as PlaceParts['kind'], target, showing: showing as Showing };
}
