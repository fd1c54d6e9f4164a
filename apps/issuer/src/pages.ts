import { ownMember } from '#lib/canonical';
import type { IssuerPerson } from './issuer-config.js';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: string): string => value.replace(/[&<>"']/g, (sign) => ownMember(escapes, sign) ?? sign);

/** One style sheet, served as a file: the pages hold nothing inline. */
export const STYLES = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --line: #d9dce3; --ink: #1b1e26; --soft: #5b6170; --mark: #3550c8; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14161b; --card: #1d2027; --line: #363b47; --ink: #eceef2; --soft: #a3a9b8; --mark: #9db0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; padding: 24px; }
main { width: min(440px, 100%); background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 32px; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px; }
p { margin: 0 0 24px; color: var(--soft); }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
button { width: 100%; min-height: 56px; display: flex; gap: 14px; align-items: center; text-align: left; cursor: pointer;
  font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 12px; padding: 10px 14px; }
button:hover { border-color: var(--mark); }
button:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.face { flex: none; width: 36px; height: 36px; border-radius: 50%; display: grid; place-items: center; font-weight: 600;
  background: color-mix(in srgb, var(--mark) 16%, transparent); color: var(--mark); }
.name { font-weight: 600; display: block; }
.title { color: var(--soft); font-size: 14px; display: block; }
.plain { justify-content: center; font-weight: 600; }
footer { margin-top: 24px; color: var(--soft); font-size: 14px; }
`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body><main>${body}</main></body>
</html>
`;

const choice = (person: IssuerPerson): string => `<li><button name="sub" value="${text(person.sub)}">
<span class="face" aria-hidden="true">${text(person.name.slice(0, 1))}</span>
<span><span class="name">${text(person.name)}</span><span class="title">${text(person.title === '' ? person.email : person.title)}</span></span>
</button></li>`;

/** Asks for the person. */
export const choosePage = (people: readonly IssuerPerson[], action: string): string =>
  page(
    'Who are you? — demo sign-in',
    `<h1>Who are you?</h1>
<p>Choose somebody to sign in to Countersign as.</p>
<form method="post" action="${text(action)}"><ul>${people.map(choice).join('')}</ul></form>
<footer>An issuer for demonstrations, on this machine only: it asks nobody for a password.</footer>`,
  );

/** Asks whether to sign out here too. `form` is the text that the protocol's library needs sent back. */
export const signOutPage = (form: string): string =>
  page(
    'Sign out — demo sign-in',
    `<h1>Sign out</h1>
<p>You have left Countersign. Sign out of the demo’s issuer too?</p>
${form}
<ul>
<li><button class="plain" type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button></li>
<li><button class="plain" type="submit" form="op.logoutForm">Stay signed in here</button></li>
</ul>`,
  );

export const signedOutPage = (): string =>
  page('Signed out — demo sign-in', '<h1>Signed out</h1><p>You can close this page.</p>');

export const problemPage = (problem: string): string =>
  page('Not signed in — demo sign-in', `<h1>That did not work</h1><p>${text(problem)}</p>`);
