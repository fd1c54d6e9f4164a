/**
 * Folders of programs, made with the folders above them.
 *
 * Node's recursive mkdir never returns if the system refuses a folder as if its parent were missing. Linux does so in
 * /proc. A setting may name such a folder, so every program makes folders by this library. The linter refuses the
 * recursive call elsewhere.
 *
 * Imports no other library.
 */
export { makeFolder, makeFolderSync } from './make-folder.js';
