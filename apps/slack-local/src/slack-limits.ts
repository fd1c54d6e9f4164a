import { isJsonList, type Json } from '#lib/canonical';

/** Slack's limits by its Block Kit reference. They repeat the sender's, so that a test does not trust those. */
const LIMITS = {
  blocks: 50,
  modalBlocks: 100,
  header: 150,
  section: 3_000,
  button: 75,
  value: 2_000,
  url: 3_000,
  id: 255,
  elements: 25,
  text: 40_000,
  message: 13_200,
  metadata: 8_000,
  modalTitle: 24,
  privateMetadata: 3_000,
  callback: 255,
} as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The errors of a message; empty if Slack would take it. */
export function messageProblems(message: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = [];
  const blocks = listOf(message.blocks);
  if (textOf(message.text) === '' && blocks.length === 0) problems.push('no_text');
  if (textOf(message.text).length > LIMITS.text) problems.push('msg_too_long');
  if (blocks.length > LIMITS.blocks) problems.push(`more than ${String(LIMITS.blocks)} blocks`);
  const ids = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    problems.push(...blockProblems(block, ids).map((problem) => `blocks[${String(index)}]: ${problem}`));
  }
  // A request's blocks came as JSON.
  if (charactersOf(blocks as Json) > LIMITS.message) problems.push('msg_blocks_too_long');
  if (message.metadata !== undefined) problems.push(...metadataProblems(message.metadata));
  return problems;
}

/** The errors of a modal. */
export function viewProblems(view: unknown): string[] {
  if (!isRecord(view)) return ['view: not an object'];
  const problems: string[] = [];
  if (view.type !== 'modal') problems.push('view.type: must be modal');
  problems.push(...plainProblems(view.title, LIMITS.modalTitle).map((problem) => `view.title: ${problem}`));
  const blocks = listOf(view.blocks);
  // A modal without a field needs no button that submits it.
  if (view.submit !== undefined || blocks.some((block) => isRecord(block) && block.type === 'input'))
    problems.push(...plainProblems(view.submit, LIMITS.modalTitle).map((problem) => `view.submit: ${problem}`));
  if (textOf(view.private_metadata).length > LIMITS.privateMetadata) problems.push('view.private_metadata: too long');
  if (textOf(view.callback_id).length > LIMITS.callback) problems.push('view.callback_id: too long');
  if (blocks.length === 0 || blocks.length > LIMITS.modalBlocks) problems.push('view.blocks: wrong number');
  const ids = new Set<string>();
  for (const block of blocks) problems.push(...blockProblems(block, ids));
  return problems;
}

function metadataProblems(metadata: unknown): string[] {
  if (!isRecord(metadata) || textOf(metadata.event_type) === '' || !isRecord(metadata.event_payload)) {
    return ['invalid_metadata_format'];
  }
  return JSON.stringify(metadata).length > LIMITS.metadata ? ['metadata_too_large'] : [];
}

function blockProblems(block: unknown, ids: Set<string>): string[] {
  if (!isRecord(block)) return ['not an object'];
  const id = textOf(block.block_id);
  const problems = id.length > LIMITS.id ? ['block_id too long'] : [];
  if (id !== '' && ids.has(id)) problems.push(`block_id ${id} stands twice`);
  ids.add(id);
  switch (block.type) {
    case 'header':
      return [...problems, ...plainProblems(block.text, LIMITS.header)];
    case 'divider':
      return problems;
    case 'section':
      return [...problems, ...textObjectProblems(block.text, LIMITS.section)];
    case 'context': {
      const elements = listOf(block.elements);
      if (elements.length === 0 || elements.length > 10) problems.push('context: wrong number of elements');
      return [...problems, ...elements.flatMap((element) => textObjectProblems(element, LIMITS.section))];
    }
    case 'rich_text':
      return [...problems, ...richProblems(block)];
    case 'actions': {
      const elements = listOf(block.elements);
      if (elements.length === 0 || elements.length > LIMITS.elements)
        problems.push('actions: wrong number of elements');
      const actions = elements.map((element) => (isRecord(element) ? textOf(element.action_id) : ''));
      if (new Set(actions).size !== actions.length) problems.push('action_id stands twice');
      return [...problems, ...elements.flatMap(buttonProblems)];
    }
    case 'input':
      return [
        ...problems,
        ...plainProblems(block.label, 2_000),
        ...(isRecord(block.element) &&
        block.element.type === 'plain_text_input' &&
        Number(block.element.max_length ?? 1) <= 3_000
          ? []
          : ['input: wrong element']),
      ];
    default:
      return [...problems, `unsupported type ${String(block.type)}`];
  }
}

function buttonProblems(button: unknown): string[] {
  if (!isRecord(button) || button.type !== 'button') return ['not a button'];
  const problems = plainProblems(button.text, LIMITS.button).map((problem) => `button: ${problem}`);
  if (textOf(button.value).length > LIMITS.value) problems.push('button: value too long');
  if (textOf(button.action_id).length > LIMITS.id) problems.push('button: action_id too long');
  if (button.url !== undefined && !(URL.canParse(textOf(button.url)) && textOf(button.url).length <= LIMITS.url)) {
    problems.push('button: bad url');
  }
  if (button.style !== undefined && button.style !== 'primary' && button.style !== 'danger')
    problems.push('button: bad style');
  return problems;
}

function plainProblems(text: unknown, most: number): string[] {
  if (!isRecord(text) || text.type !== 'plain_text') return ['must be plain_text'];
  return textObjectProblems(text, most);
}

function textObjectProblems(text: unknown, most: number): string[] {
  if (!isRecord(text) || (text.type !== 'plain_text' && text.type !== 'mrkdwn')) return ['not a text object'];
  const length = textOf(text.text).length;
  return length === 0 || length > most ? [`text of ${String(length)} characters, of 1 to ${String(most)}`] : [];
}

function richProblems(block: Readonly<Record<string, unknown>>): string[] {
  const elements = listOf(block.elements);
  if (elements.length === 0) return ['rich_text: no elements'];
  const problems = elements.flatMap(richElementProblems);
  // A request's blocks came as JSON.
  if (charactersOf(block as Json) > LIMITS.section + 500) problems.push('rich_text: more than 3000 characters');
  return problems;
}

function richElementProblems(element: unknown): string[] {
  if (!isRecord(element)) return ['rich_text: not an object'];
  const inside = listOf(element.elements);
  switch (element.type) {
    case 'rich_text_section':
    case 'rich_text_quote':
    case 'rich_text_preformatted':
      return inside.flatMap(spanProblems);
    case 'rich_text_list':
      return inside.length === 0 ? ['rich_text_list: empty'] : inside.flatMap(richElementProblems);
    default:
      return [`rich_text: unsupported ${String(element.type)}`];
  }
}

function spanProblems(each: unknown): string[] {
  if (!isRecord(each)) return ['rich_text: not an object'];
  if (each.type === 'text') return textOf(each.text) === '' ? ['rich_text: empty text'] : [];
  if (each.type === 'date') {
    const whole = Number.isInteger(each.timestamp) && textOf(each.format).includes('{');
    return whole ? [] : ['rich_text: bad date'];
  }
  return [`rich_text: unsupported ${String(each.type)}`];
}

/** All text that a reader sees. */
function charactersOf(value: Json): number {
  if (isJsonList(value)) return value.reduce<number>((sum, each) => sum + charactersOf(each), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, each]) => sum + (key === 'text' && typeof each === 'string' ? each.length : charactersOf(each)),
    0,
  );
}
