import { autocompletion } from '@codemirror/autocomplete';
import { syntaxHighlighting } from '@codemirror/language';
import { yaml } from '@codemirror/lang-yaml';
import { linter, lintGutter, type Diagnostic } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { classHighlighter } from '@lezer/highlight';
import CodeMirror, { EditorView, type Extension, type Text } from '@uiw/react-codemirror';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { suggestionInWords } from '#lib/words';
import { ApiError } from '../api/api-error.js';
import { completeFrom, type Schema } from './complete-from-schema.js';
import { ProblemList, type FoundProblem, type Remark } from './problem-list.js';

interface YamlEditorProps {
  readonly value: string;
  /** The document in force. */
  readonly original: string;
  readonly readOnly: boolean;
  /** Whether to show the difference, in place of editing. */
  readonly comparing: boolean;
  /** Shown first; 0 for the top. */
  readonly line: number;
  /** The label of the editor: `Autonomy document, YAML`. */
  readonly label: string;
  /** The query of the document's JSON Schema. */
  readonly schema: { readonly queryKey: QueryKey; readonly queryFn: () => Promise<object> };
  /** The same as long as it checks the same way: another one checks anew. */
  readonly check: CheckDocument;
  readonly onChange: (value: string) => void;
  readonly onState: (state: CheckState) => void;
}

/** The answer of the API about a text that it takes. */
interface CheckAnswer {
  readonly remarks: readonly Remark[];
  /** Tells the page; called unless somebody typed on meanwhile. */
  readonly tell: () => void;
}

/** Asks the API about a text; throws its refusal. */
export type CheckDocument = (text: string) => Promise<CheckAnswer>;

/** How a check goes; once it succeeds, its answer tells. */
export type CheckState =
  | { readonly state: 'checking' }
  | { readonly state: 'invalid'; readonly problems: number }
  | { readonly state: 'failed'; readonly error: unknown };

const look = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--ink)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: 'var(--ink)', padding: '0.75rem 0' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line-strong)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionDetail': { color: 'inherit' },
  '.cm-diagnostic': { fontFamily: 'var(--font-sans)' },
  '.tok-propertyName': { color: 'var(--accent)' },
  '.tok-string, .tok-string2': { color: 'var(--good)' },
  '.tok-keyword, .tok-bool, .tok-number, .tok-atom, .tok-literal': { color: 'var(--warn)' },
  '.tok-comment, .tok-meta, .tok-punctuation': { color: 'var(--muted)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--good-soft) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft) !important', color: 'var(--ink)' },
  '.cm-changedText, .cm-deletedText': { background: 'none !important', textDecoration: 'underline' },
  '.cm-collapsedLines': { color: 'var(--accent)', background: 'var(--sunken)' },
});

/** Both are ours, see below. */
const SET_UP = { syntaxHighlighting: false, autocompletion: false };

/** Until the schema is there: nothing is completed. */
const NO_SCHEMA: Schema = {};

/** The position of an error of the API in the text. */
function position(doc: Text, line: number | undefined, column: number | undefined): { from: number; to: number } {
  const at = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
  const from = Math.min(at.from + Math.max((column ?? 1) - 1, 0), at.to);
  return { from: from === at.to ? at.from : from, to: at.to };
}

/** The problems that a check found, and the call that tells the page. */
interface Checked {
  readonly problems: readonly FoundProblem[];
  readonly tell: () => void;
}

/** Asks the API about the draft's effect. */
async function checked(text: string, check: CheckDocument, onState: (state: CheckState) => void): Promise<Checked> {
  try {
    const { remarks, tell } = await check(text);
    return { problems: remarks.map((remark) => ({ severity: 'warning', ...remark })), tell };
  } catch (error) {
    const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
    return {
      problems: errors.map((problem) => ({ ...problem, severity: 'error' })),
      tell: () => {
        onState(errors.length === 0 ? { state: 'failed', error } : { state: 'invalid', problems: errors.length });
      },
    };
  }
}

/** A problem, marked at its position in the text. */
const diagnosticOf = (
  doc: Text,
  { line, column, severity, pointer, message, suggestion }: FoundProblem,
): Diagnostic => ({
  ...position(doc, line, column),
  severity: severity === 'error' ? 'error' : 'warning',
  source: pointer,
  message: suggestion === undefined ? message : `${message} ${suggestionInWords(suggestion)}`,
});

/** Shows a line in the middle, selected. */
function showLine(editor: EditorView | null, line: number): void {
  if (editor === null || line < 1 || line > editor.state.doc.lines) return;
  const at = editor.state.doc.line(line);
  editor.dispatch({
    selection: { anchor: at.from, head: at.to },
    effects: EditorView.scrollIntoView(at.from, { y: 'center' }),
  });
}

/** An editor of a document: completion from its schema, errors while typing, and the difference to the document in force. */
export function YamlEditor(props: YamlEditorProps) {
  const { value, original, readOnly, comparing, line, label, check, onChange, onState } = props;
  const view = useRef<EditorView | null>(null);
  const [problems, setProblems] = useState<readonly FoundProblem[]>([]);
  const current = useRef(check);
  useEffect(() => {
    current.current = check;
  }, [check]);
  const { data: schema = NO_SCHEMA } = useQuery({ ...props.schema, staleTime: Infinity });
  const extensions = useMemo<Extension[]>(
    () => [
      yaml(),
      syntaxHighlighting(classHighlighter),
      EditorView.lineWrapping,
      // If it is only read, its keys still scroll it.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      look,
      ...(comparing
        ? [unifiedMergeView({ original, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } })]
        : []),
      ...(readOnly || comparing
        ? []
        : [
            autocompletion({ override: [completeFrom(schema)] }),
            lintGutter(),
            linter(
              async (typed) => {
                const { doc } = typed.state;
                onState({ state: 'checking' });
                const found = await checked(doc.toString(), check, onState);
                // The answer about an earlier text, or beside an earlier document, says nothing about this one. It is checked, too.
                if (typed.state.doc !== doc || current.current !== check) return [];
                found.tell();
                setProblems(found.problems);
                return found.problems.map((problem) => diagnosticOf(doc, problem));
              },
              { delay: 400 },
            ),
          ]),
    ],
    [comparing, original, readOnly, label, check, onState, schema],
  );
  useEffect(() => {
    showLine(view.current, line);
  }, [line]);
  // The first text of the editor, each time that it is made anew. Afterwards the text is the editor's own. If it were handed back
  // with every key, a late one would undo later typing. The cursor would go to the top.
  const begins = useMemo(() => value, [comparing]);
  const typed = useCallback(
    (text: string) => {
      // The last answer was about an earlier text.
      onState({ state: 'checking' });
      onChange(text);
    },
    [onState, onChange],
  );
  const [shadow, setShadow] = useState<ShadowRoot | null>(null);
  // The editor makes its styles while it runs. In a shadow root it makes them as objects, which the content security
  // policy lets it. In the page it would write them inline.
  const host = useCallback((element: HTMLDivElement | null) => {
    if (element !== null) setShadow(element.shadowRoot ?? element.attachShadow({ mode: 'open' }));
  }, []);
  const editor = shadow !== null && (
    <CodeMirror
      root={shadow}
      key={comparing ? 'compare' : 'edit'}
      value={begins}
      theme="none"
      minHeight="16rem"
      maxHeight="60dvh"
      readOnly={readOnly || comparing}
      extensions={extensions}
      indentWithTab={false}
      basicSetup={SET_UP}
      onCreateEditor={(editor) => {
        view.current = editor;
      }}
      onChange={typed}
    />
  );
  return (
    <>
      <div ref={host} className="min-h-64">
        {shadow !== null && createPortal(editor, shadow)}
      </div>
      {!readOnly && !comparing && (
        <ProblemList
          problems={problems}
          goTo={(at) => {
            showLine(view.current, at);
            view.current?.focus();
          }}
        />
      )}
    </>
  );
}
