import { CST, Lexer } from 'yaml';
import { ownMember } from '#lib/canonical';

/** A finding before parsing, by its position in the text. */
export interface ScanProblem {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

const MAX_FLOW_DEPTH = 16;
const MAX_INDENTATION = 64;
const MAX_INDICATORS_ON_A_LINE = 16;
/** How many tokens a document may have. A line of ordinary YAML has about seven. */
export const MAX_TOKENS = 5_000;

/** Characters that are not printable (YAML 1.2 section 5.1). */
// oxlint-disable-next-line no-control-regex -- exactly these are refused
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/** Lexemes that the tokenizer adds. They are no part of the text. */
const invisible: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

const REFUSED: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  alias: { code: 'yaml.alias', message: 'Aliases are not supported: write the value out.' },
  anchor: { code: 'yaml.anchor', message: 'Anchors are not supported: write the value out.' },
  tag: { code: 'yaml.tag', message: 'Tags are not supported.' },
  'directive-line': { code: 'yaml.directive', message: 'Directives are not supported.' },
};

/**
 * Checks the tokens before the parser runs. Stops at the first one that would make parsing expensive: aliases, deep
 * nesting, very many tokens. The parser recurses, and V8 ends the process if it compiles a regular expression on a
 * nearly full stack. So the parser must never see deep nesting (T26).
 */
export function scanYaml(source: string, maxTokens = MAX_TOKENS): ScanProblem | null {
  const unprintable = UNPRINTABLE.exec(source);
  if (unprintable !== null) {
    return {
      code: 'yaml.control_character',
      message: 'Control characters are not allowed.',
      offset: unprintable.index,
    };
  }
  const deepIndentation = new RegExp(`^ {${String(MAX_INDENTATION + 1)}}`, 'm').exec(source);
  if (deepIndentation !== null)
    return tooDeep(deepIndentation.index, `indented by more than ${String(MAX_INDENTATION)} columns`);

  let offset = 0;
  let lexemes = 0;
  let flowDepth = 0;
  let indicators = 0;
  let begun = false;
  for (const lexeme of new Lexer().lex(source)) {
    lexemes += 1;
    if (lexemes > maxTokens) return { code: 'yaml.too_long', message: 'The document has too many parts.', offset };
    const type = CST.tokenType(lexeme);
    const refused = type === null ? undefined : ownMember(REFUSED, type);
    if (refused !== undefined) return { ...refused, offset };
    switch (type) {
      case 'flow-map-start':
      case 'flow-seq-start':
        flowDepth += 1;
        if (flowDepth > MAX_FLOW_DEPTH)
          return tooDeep(offset, `nested more than ${String(MAX_FLOW_DEPTH)} brackets deep`);
        break;
      case 'flow-map-end':
      case 'flow-seq-end':
        flowDepth -= 1;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
        indicators += 1;
        if (indicators > MAX_INDICATORS_ON_A_LINE) return tooDeep(offset, 'nested too deep on one line');
        break;
      case 'newline':
        indicators = 0;
        break;
      case 'doc-start':
        if (begun) return { code: 'yaml.several_documents', message: 'The text holds more than one document.', offset };
        begun = true;
        break;
      case 'byte-order-mark':
      case 'comment':
      case 'doc-mode':
      case 'doc-end':
      case 'space':
        break;
      default:
        begun = true;
    }
    if (!invisible.has(lexeme)) offset += lexeme.length;
  }
  return null;
}

const tooDeep = (offset: number, how: string): ScanProblem => ({
  code: 'yaml.too_deep',
  message: `This is ${how}.`,
  offset,
});
