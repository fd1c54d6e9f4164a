import type { BrowserContext, Page } from 'playwright-core';
import { describeInChromium, workersChromium } from '../support/browser.js';
import { violationsOn } from '../support/violations.js';

const LEGIBLE = 'color: #222; background: #fff';

describeInChromium('axe, which judges the contrast of each look once', () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await (await workersChromium()).newContext();
    page = await context.newPage();
  });
  afterAll(() => context.close());

  /** The rules that are broken on a page with a legible text and another part. */
  async function found(part: string): Promise<readonly string[]> {
    await page.setContent(`<!doctype html><html lang="en"><title>Looks</title><style>a { color: #222 }</style>
      <main style="background: #fff"><h1>Looks</h1><p style="${LEGIBLE}">The same look.</p>${part}</main>`);
    return (await violationsOn(page)).map((each) => each.replace(/:.*/s, ''));
  }

  it.each([
    ['a second text of a legible look', `<p style="${LEGIBLE}">Once more.</p>`, []],
    ['a paler colour', '<p style="color: #ccc; background: #fff">Pale.</p>', ['color-contrast']],
    [
      'the same colour on a layer of an ancestor',
      '<div style="background: #333"><p style="color: #222">Dark.</p></div>',
      ['color-contrast'],
    ],
    [
      'the same colours behind opacity',
      `<div style="opacity: 0.3"><p style="${LEGIBLE}">Faint.</p></div>`,
      ['color-contrast'],
    ],
    [
      'the same look over a positioned box',
      `<div style="position: relative; height: 60px">
        <div style="position: absolute; inset: 0; background: #333"></div>
        <p style="position: relative; color: #222">Dark.</p>
      </div>
      <p style="color: #222">Not dark.</p>`,
      ['color-contrast'],
    ],
    [
      'the same look moved over a box without a position',
      `<div style="position: relative">
        <div style="height: 60px; background: #333"></div>
        <p style="position: absolute; top: 0; color: #222">Dark.</p>
      </div>`,
      ['color-contrast'],
    ],
    [
      'the same look in the cell of another box',
      `<div style="display: grid">
        <div style="grid-area: 1 / 1; height: 60px; background: #333"></div>
        <p style="grid-area: 1 / 1; color: #222">Dark.</p>
      </div>`,
      ['color-contrast'],
    ],
    ['a link that its style tells from the text', '<p>Read <a href="#a">the rules</a> first, and then go on.</p>', []],
    [
      'a link like the text around it',
      '<p>Read <a href="#a" style="text-decoration: none; color: #111">the rules</a> first, and then go on.</p>',
      ['link-in-text-block'],
    ],
  ] as const)('reads %s', async (_case, part, expected) => {
    // The looks of the page are known by then.
    await found('<p style="color: #222">Legible.</p>');
    expect(await found(part)).toEqual(expected);
  });
});
