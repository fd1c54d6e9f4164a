import type { Node } from 'web-tree-sitter';
import { PIECE_LIMITS, type OutlineNode } from '../domain/piece.js';

/** Nodes that belong to the one below them. */
const LEADS = /comment|^decorator$|^attribute_item$|^attribute_list$|^marker_annotation$|^annotation$/;
const IMPORTS = /^(?:import|use_declaration|using_directive|preproc_include|namespace_use)/;
const MAX_MEMBERS = 60;
const MAX_DEPTH = 12;

/** The outline of a syntax tree: nodes that are too large for a piece have their parts below them. */
export function outlineOf(root: Node): OutlineNode[] {
  const [only, ...others] = root.namedChildren;
  // PowerShell has one list of all statements.
  return levelOf(only?.type === 'statement_list' && others.length === 0 ? partsOf(only) : partsOf(root), 0);
}

function levelOf(nodes: readonly Node[], depth: number): OutlineNode[] {
  const level: OutlineNode[] = [];
  let lead: Node | null = null;
  let before: Node | null = null;
  for (const node of nodes) {
    const touches: boolean = before !== null && node.startPosition.row <= lastLineOf(before) + 1;
    if (LEADS.test(node.type)) {
      lead = lead !== null && touches ? lead : node;
    } else {
      level.push(nodeOf(node, lead !== null && touches ? lead.startPosition.row : node.startPosition.row, depth));
      lead = null;
    }
    before = node;
  }
  return level;
}

function nodeOf(node: Node, first: number, depth: number): OutlineNode {
  const last = lastLineOf(node);
  const named = declarationOf(node);
  const stays = last - first < PIECE_LIMITS.lines && node.endIndex - node.startIndex <= PIECE_LIMITS.characters;
  return {
    ...{ first, last, name: nameOf(named), kind: kindOf(named) },
    imports: IMPORTS.test(node.type),
    members: stays ? membersOf(named) : [],
    children: stays || depth >= MAX_DEPTH ? [] : levelOf(partsOf(named), depth + 1),
  };
}

/** The line of the last character; a node may end with the newline. */
const lastLineOf = (node: Node): number =>
  node.endPosition.column === 0 && node.endPosition.row > node.startPosition.row
    ? node.endPosition.row - 1
    : node.endPosition.row;

/** The parts of a node: those of its body, if it has one. */
function partsOf(node: Node): Node[] {
  const body = node.childForFieldName('body') ?? bodyIn(node.childForFieldName('value'));
  return (body ?? node).namedChildren;
}

const bodyIn = (node: Node | null): Node | null => node?.childForFieldName('body') ?? null;

/** The declaration inside an export, a decorated definition, or a list of one variable. */
function declarationOf(node: Node): Node {
  const inner =
    node.childForFieldName('declaration') ??
    node.childForFieldName('definition') ??
    (WRAPPERS.test(node.type) ? firstNamed(node) : null);
  return inner === null || inner.id === node.id ? node : declarationOf(inner);
}

const WRAPPERS =
  /^(?:lexical_declaration|variable_declaration|type_declaration|const_declaration|var_declaration|expression_statement|template_declaration|export_statement)$/;

const firstNamed = (node: Node): Node | null => node.namedChildren.find((child) => !LEADS.test(child.type)) ?? null;

function nameOf(node: Node): string | null {
  const text = rawNameOf(node);
  return text === null || text.length > 120 || text.includes('\n') ? null : text;
}

function rawNameOf(node: Node): string | null {
  const name = node.childForFieldName('name');
  if (name !== null) {
    const receiver = node.childForFieldName('receiver')?.text.match(/([\p{L}_][\p{L}\p{N}_]*)[^\p{L}\p{N}_]*$/u)?.[1];
    return receiver === undefined ? name.text : `${receiver}.${name.text}`;
  }
  if (node.type === 'impl_item') return node.childForFieldName('type')?.text ?? null;
  const declarator = node.childForFieldName('declarator');
  if (declarator !== null) return rawNameOf(declarator) ?? declarator.text;
  if (node.type.startsWith('call')) return nameOfCall(node);
  if (node.type.includes('assignment')) return node.childForFieldName('left')?.text ?? null;
  if (node.type === 'rule_set') return firstNamed(node)?.text ?? null;
  // PowerShell's grammar has no fields.
  if (node.type === 'function_statement' || node.type === 'class_statement')
    return node.namedChildren.find(({ type }) => type.endsWith('_name'))?.text ?? null;
  return null;
}

/** A call with a text, as `describe('a queue', …)`, is known by it. */
function nameOfCall(node: Node): string | null {
  const called = node.childForFieldName('function') ?? node.childForFieldName('method');
  const first = node.childForFieldName('arguments')?.namedChildren[0];
  if (called === null || called.text.length > 40 || first === undefined || !first.type.includes('string')) return null;
  return `${called.text} ${first.text.replace(/^['"`]|['"`]$/g, '')}`;
}

const KINDS = /class|interface|enum|struct|trait|impl|function|method|constructor|module|namespace|type|test/;

function kindOf(node: Node): string | null {
  const value = node.childForFieldName('value');
  const kind = KINDS.exec(node.type)?.[0] ?? null;
  if (kind !== null) return kind === 'impl' ? 'implementation' : kind;
  if (value?.type.includes('function') === true) return 'function';
  return node.type === 'variable_declarator' || node.type.includes('const') ? 'constant' : null;
}

/** The names of the parts of a class or the like. */
function membersOf(node: Node): string[] {
  const body = node.childForFieldName('body');
  if (body === null || !/class|interface|struct|trait|impl|module|enum|namespace/.test(node.type)) return [];
  const names = body.namedChildren.map((child) => nameOf(declarationOf(child)));
  return names.filter((name) => name !== null).slice(0, MAX_MEMBERS);
}
