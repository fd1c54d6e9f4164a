import { yamlLanguage } from '@codemirror/lang-yaml';

/** The position of a step in the text: 1-based, as the API counts. */
interface StepPosition {
  readonly line: number;
  readonly column: number;
}

type Node = ReturnType<typeof yamlLanguage.parser.parse>['topNode'];

/** The position of each step's id in the YAML of an automation, as it is typed. Unfinished texts have some, too. */
export function stepPositions(text: string): ReadonlyMap<string, StepPosition> {
  const positions = new Map<string, StepPosition>();
  const document = yamlLanguage.parser.parse(text).topNode.getChild('Document');
  const root = document?.getChild('BlockMapping') ?? document?.getChild('FlowMapping') ?? null;
  const steps = valueOf(root, 'steps', text);
  for (const item of steps?.getChildren('Item') ?? []) {
    const id = valueOf(item.getChild('BlockMapping') ?? item.getChild('FlowMapping'), 'id', text);
    if (id !== null) positions.set(scalarOf(id, text), positionOf(id.from, text));
  }
  return positions;
}

/** The value of a key in a mapping. */
function valueOf(mapping: Node | null, key: string, text: string): Node | null {
  const pair = mapping?.getChildren('Pair').find((each) => {
    const name = each.getChild('Key');
    return name !== null && scalarOf(name, text) === key;
  });
  return pair?.lastChild?.name === 'Key' ? null : (pair?.lastChild ?? null);
}

const scalarOf = ({ from, to }: Node, text: string): string =>
  text
    .slice(from, to)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');

function positionOf(offset: number, text: string): StepPosition {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
