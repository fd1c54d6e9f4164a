/** Whether a dialog has the keyboard: a shortcut would lose its text. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Whether a key belongs to a control or to the browser rather than to the shell. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isDialogOpen()) return true;
  // Inside a shadow root the event's own target is its host.
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
