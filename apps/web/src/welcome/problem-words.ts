/** The problems of a sign-in. Anybody can write a code into the address, so a text repeats none. */
const WORDS = new Map(
  Object.entries({
    'sign_in.no_issuer': 'Nobody can sign in with a browser here yet: an administrator has to add an issuer.',
    'sign_in.choose_issuer': 'Choose where you sign in.',
    'sign_in.refused': 'The sign-in was refused.',
    'sign_in.refused_by_issuer': 'Your organisation did not let you in. Nothing was changed; try again, or ask there.',
    'sign_in.no_email': 'Your organisation says no e-mail address of yours, and one is needed.',
    'sign_in.email_unverified': 'Your organisation has not verified your e-mail address.',
    'sign_in.email_taken': 'Somebody else here has your e-mail address. An administrator can put that right.',
    'sign_in.unknown_return': 'That sign-in was not begun here, or is over. Begin again.',
    'sign_in.other_browser': 'That sign-in was begun in another browser. Begin again in this one.',
    'sign_in.other_issuer':
      'You came back from another issuer than the one that you began at. Begin again; if it stays like this, tell an administrator.',
    'sign_in.not_provisioned':
      'You have no place here yet. An administrator can invite you. Or sign in as somebody else.',
    'sign_in.too_late': 'That took too long. Begin again.',
    'sign_in.person_disabled': 'Your access was ended. An administrator can say why.',
    'sign_in.token_refused':
      'The answer of your identity provider could not be verified. Try again; if that fails too, tell an administrator.',
    'issuer.unreachable': 'Your organisation could not be reached. Try again in a moment.',
  }),
);

export const problemInWords = (code: string): string => WORDS.get(code) ?? 'The sign-in came to nothing. Try again.';
