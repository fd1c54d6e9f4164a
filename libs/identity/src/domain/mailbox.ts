/**
 * Whether two addresses reach one mailbox: without regard to case, to what follows a `+`, and to dots in the local part,
 * which many mail servers leave out. It errs towards the same mailbox.
 */
export const sameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other);

function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [local = ''] = address.slice(0, at).toLowerCase().split('+');
  return `${local.replaceAll('.', '')}@${address.slice(at + 1).toLowerCase()}`;
}
