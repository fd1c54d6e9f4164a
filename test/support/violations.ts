import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

let axeSource: string | undefined;

/** The parts that axe looks at: a page without its sidebar, unless a test asks for it. */
type Looked = 'page' | 'page and sidebar' | 'contrast of hidden text';

/**
 * The content of the sidebar, which is the same on every page: lists.spec.ts looks at it. Its landmarks stay, since axe compares them
 * with those of the page.
 */
const SIDEBAR = ['aside > :not(:has(nav))', 'aside nav > *'] as const;

/**
 * The faults of a page in light, in dark, and on a phone. Every rule is for the wide page and for the phone; light and dark
 * differ in colours alone. The wide page is looked at in the dark and the phone in light. One more run is for text that a phone
 * does not show. It looks at the contrast of the wide page in light. No colour depends on the width.
 */
export async function violationsAnywhere(page: Page, looked: Looked = 'page'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const found = (await violationsOn(page, looked)).map((each) => `in the dark: ${each}`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(SHOWN_TEXT);
  const isTextHidden = await onAPhone(page, async () => {
    found.push(...(await violationsOnPhone(page)));
    return page.evaluate<boolean>(KEEP_HIDDEN_TEXT);
  });
  return isTextHidden ? [...found, ...(await violationsOn(page, 'contrast of hidden text'))] : found;
}

/** Elements with text of their own, but for the sidebar. That is the same on every page, and lists.spec.ts looks at it. */
const SHOWN_TEXT = `
  window.shownText = [...document.body.querySelectorAll('*')].filter((each) =>
    each.checkVisibility() && each.closest('aside') === null &&
    [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''));
  true`;
const KEEP_HIDDEN_TEXT = `
  window.hiddenText = window.shownText.filter((each) => each.isConnected && !each.checkVisibility());
  window.hiddenText.length > 0`;

/** Work at the width of a phone. The page is as wide again afterwards. */
async function onAPhone<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const done = await work();
  if (before !== null) await page.setViewportSize(before);
  return done;
}

/** The faults of a page on a phone: the findings of axe, and sideways scrolling. */
export async function violationsOnPhone(page: Page): Promise<string[]> {
  return onAPhone(page, async () => {
    const wide = await page.evaluate<readonly string[]>(`(() => {
      const root = document.documentElement;
      if (root.scrollWidth <= innerWidth) return [];
      const beyond = [...document.body.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > innerWidth);
      return ['scrolls sideways, ' + root.scrollWidth + ' wide: ' + beyond.slice(-3).map((each) => each.outerHTML.slice(0, 200))];
    })()`);
    return [...wide, ...(await violationsOn(page))].map((each) => `on a phone: ${each}`);
  });
}

/** Minified: Chromium compiles half as much on each page. */
function axe(): string {
  axeSource ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  return axeSource;
}

/** The looks of text that axe found legible on any page of this worker. */
const legible = new Set<string>();

/**
 * Axe judges the contrast of each look once. That rule is half of a run, and pages have most looks in common. A look is the
 * colour and the size of a text, and the layers of its ancestors. Where another painted box lies over or under a text, each is
 * judged. A link that its style tells from the text around it needs no other colour. So axe is not asked for its contrast either.
 */
const JUDGE_LOOKS_ONCE = `{
  const { checks, rules } = axe._audit;
  const contrast = checks['color-contrast'];
  const rule = rules.find(({ id }) => id === contrast.id);
  const { evaluate } = contrast;
  const { matches } = rule;
  let boxes, layers;
  axe.expectLooks = (legible) => {
    axe.legible = new Set(legible);
    boxes = undefined;
    layers = new Map([[null, '']]);
  };
  const layerOf = ({ backgroundColor, backgroundImage, filter, mixBlendMode, opacity }) =>
    [backgroundColor, backgroundImage, filter, mixBlendMode, opacity].join();
  const NO_LAYER = 'rgba(0, 0, 0, 0),none,none,normal,1';
  const layersOf = (element) => {
    if (!layers.has(element)) {
      const layer = layerOf(getComputedStyle(element));
      layers.set(element, layersOf(element.parentElement) + (layer === NO_LAYER ? '' : ' on ' + layer));
    }
    return layers.get(element);
  };
  const lookOf = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return [color, fontSize, fontWeight, textShadow].join() + layersOf(element);
  };
  const painted = () =>
    [...document.body.querySelectorAll('*')].flatMap((box) =>
      layerOf(getComputedStyle(box)) === NO_LAYER ? [] : [[box, box.getBoundingClientRect()]],
    );
  const isByBox = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    boxes ??= painted();
    return boxes.some(
      ([box, at]) =>
        at.left < right && left < at.right && at.top < bottom && top < at.bottom &&
        !box.contains(element) && !element.contains(box),
    );
  };
  const isKnown = (element) => axe.legible.has(lookOf(element)) && !isByBox(element);
  const hasText = (element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  rule.matches = (element, node) => hasText(element) && !isKnown(element) && matches(element, node);
  contrast.evaluate = function (element, ...others) {
    const isLegible = evaluate.call(this, element, ...others);
    if (isLegible === true && !isByBox(element)) axe.legible.add(lookOf(element));
    return isLegible;
  };
  const coloured = checks['link-in-text-block'];
  const styled = checks['link-in-text-block-style'];
  const { evaluate: isColoured } = coloured;
  coloured.evaluate = function (...link) {
    return styled.evaluate.apply(this, link) === true || isColoured.apply(this, link);
  };
}
`;

/** The findings of axe on the current page: WCAG 2.2 AA and its best practices, one line a violation. */
export async function violationsOn(page: Page, looked: Looked = 'page'): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe() + JUDGE_LOOKS_ONCE);
  const { found, looks } = await page.evaluate(
    async ({ rules, without, legible }) => {
      interface Found {
        readonly id: string;
        readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
      }
      interface Moving {
        readonly effect: { getComputedTiming(): { readonly endTime: number } } | null;
        finish(): void;
      }
      // This function runs in the page, whose globals the types of Node do not know.
      const { axe, document, hiddenText } = globalThis as unknown as {
        axe: {
          configure(spec: object): void;
          expectLooks(legible: readonly string[]): void;
          readonly legible: ReadonlySet<string>;
          run(context: unknown, options: object): Promise<{ violations: readonly Found[] }>;
        };
        document: {
          getAnimations(): readonly Moving[];
          querySelector(selector: string): { readonly outerHTML: string } | null;
        };
        hiddenText: readonly object[];
      };
      // A colour on its way to another has neither's contrast.
      for (const each of document.getAnimations())
        if (each.effect?.getComputedTiming().endTime !== Infinity) each.finish();
      // Axe would write out every element that it looks at, the whole page among them.
      axe.configure({ noHtml: true });
      axe.expectLooks(legible);
      const { violations } = await axe.run(
        rules === 'all' ? { include: document, exclude: without } : { include: hiddenText },
        {
          resultTypes: ['violations'],
          // Style sheets are loaded for a rule that is off, and media for one of sound, which no page has. That costs a third of a run.
          preload: false,
          ...(rules === 'all' ? {} : { runOnly: { type: 'rule', values: [rules] } }),
        },
      );
      const written = ([selector = '']: readonly string[]): string =>
        document.querySelector(selector)?.outerHTML.slice(0, 300) ?? selector;
      const found = violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map((node) => `${written(node.target)} (${node.failureSummary ?? ''})`).join(' | ')}`,
      );
      return { found, looks: [...axe.legible].slice(legible.length) };
    },
    {
      rules: looked === 'contrast of hidden text' ? 'color-contrast' : 'all',
      without: looked === 'page' ? SIDEBAR.map((selector) => [selector]) : [],
      legible: [...legible],
    },
  );
  for (const look of looks) legible.add(look);
  return found;
}
