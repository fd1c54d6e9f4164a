/** People who have one vote together: cases that the server's quorum, the policies and the verifier must decide alike (T39). */
export const seatCases: readonly {
  readonly name: string;
  readonly slots: readonly { readonly count: number; readonly roles: string[] }[];
  readonly approvers: readonly {
    readonly person: string;
    readonly roles: string[];
    readonly delegated_by: string | null;
    readonly shared_with: string[];
  }[];
  readonly reached: boolean;
}[] = [
  oneOfTwo('two people of their own', true, own('sam'), own('lea')),
  oneOfTwo('two people who came in by one hand', false, of('sam', 'ada'), of('lea', 'ada')),
  oneOfTwo('a hand and somebody it let in', false, own('ada'), of('sam', 'ada')),
  oneOfTwo('somebody it let in and the hand', false, of('sam', 'ada'), own('ada')),
  oneOfTwo('two hands', true, of('sam', 'ada'), of('lea', 'noor')),
  oneOfTwo('over a third, in any order', false, of('bob', 'ada', 'sam'), of('lea', 'ada')),
  oneOfTwo('a delegating person and the delegate', false, own('ada'), delegated('sam', 'ada')),
  oneOfTwo('two delegates of one person', false, delegated('sam', 'ada'), delegated('lea', 'ada')),
  oneOfTwo(
    'a delegate, and somebody of the hand of the one who is away',
    false,
    delegated('sam', 'noor', 'ada'),
    of('lea', 'ada'),
  ),
  oneOfTwo(
    'two who share nobody, over a third who shares with both,',
    false,
    of('sam', 'ada'),
    of('lea', 'noor'),
    of('bob', 'ada', 'noor'),
  ),
  oneOfTwo('three in a chain of shared hands', false, of('sam', 'ada'), of('bob', 'ada', 'noor'), of('lea', 'noor')),
  oneOfTwo('one hand twice, and somebody else', true, of('sam', 'ada'), of('lea', 'ada'), own('noor')),
];

interface Approver {
  readonly person: string;
  readonly roles: string[];
  readonly delegated_by: string | null;
  readonly shared_with: string[];
}

function own(person: string): Approver {
  return of(person);
}

function of(person: string, ...hands: string[]): Approver {
  return { person, roles: ['SRELead'], delegated_by: null, shared_with: hands };
}

function delegated(person: string, delegating: string, ...hands: string[]): Approver {
  return { person, roles: ['SRELead'], delegated_by: delegating, shared_with: hands };
}

function oneOfTwo(name: string, reached: boolean, ...approvers: Approver[]) {
  return {
    name: `${name} ${reached ? 'fill' : 'do not fill'} a slot for two`,
    slots: [{ count: 2, roles: ['SRELead'] }],
    approvers,
    reached,
  };
}
