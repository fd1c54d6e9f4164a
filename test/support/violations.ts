import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

let axeSource: string | undefined;

/** The faults of a page in light, in dark, and on a phone. */
export async function violationsAnywhere(page: Page): Promise<string[]> {
  const found = await violationsOn(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Nothing but colours is another in the dark.
  found.push(...(await violationsOn(page, ['color-contrast'])).map((each) => `in the dark: ${each}`));
  await page.emulateMedia({ colorScheme: 'light' });
  return [...found, ...(await violationsOnPhone(page))];
}

/** The faults of a page on a phone: the findings of axe, and sideways scrolling. The page is as wide again afterwards. */
export async function violationsOnPhone(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = await page.evaluate<readonly string[]>(`(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= innerWidth) return [];
    const beyond = [...document.body.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > innerWidth);
    return ['scrolls sideways, ' + root.scrollWidth + ' wide: ' + beyond.slice(-3).map((each) => each.outerHTML.slice(0, 200))];
  })()`);
  const found = [...wide, ...(await violationsOn(page))].map((each) => `on a phone: ${each}`);
  if (before !== null) await page.setViewportSize(before);
  return found;
}

/** Minified: Chromium compiles half as much on each page. */
function axe(): string {
  axeSource ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  return axeSource;
}

/**
 * The findings of axe on the current page: WCAG 2.2 AA and its best practices, one line a violation.
 *
 * @param rules these alone.
 */
export async function violationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe());
  return page.evaluate(async (only) => {
    interface Found {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    interface Moving {
      readonly effect: { getComputedTiming(): { readonly endTime: number } } | null;
      finish(): void;
    }
    const { axe, document } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Found[] }> };
      document: { getAnimations(): readonly Moving[] };
    };
    // A colour on its way to another has neither's contrast.
    for (const each of document.getAnimations())
      if (each.effect?.getComputedTiming().endTime !== Infinity) each.finish();
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      // Style sheets are loaded for a rule that is off, and media for one of sound, which no page has. That costs a third of a run.
      preload: false,
      ...(only === undefined ? {} : { runOnly: { type: 'rule', values: only } }),
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} (${node.failureSummary ?? ''})`).join(' | ')}`,
    );
  }, rules);
}
