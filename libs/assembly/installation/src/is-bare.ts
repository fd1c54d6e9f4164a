/**
 * Whether an address has no user, password, query or fragment. Grants, links and logs would show the first two, and a path is added
 * after the rest.
 */
export const isBare = ({ username, password, search, hash }: URL): boolean =>
  `${username}${password}${search}${hash}` === '';
