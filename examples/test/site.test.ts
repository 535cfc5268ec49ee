// runs: once
/** The documentation site: its navigation, and its files for machines. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageHomes } from '../../scripts/packages.cjs';
import { root } from './recipes';

const docs = path.join(root, 'docs');

interface Item {
  text: string;
  link?: string;
  items?: Item[];
}

interface Config {
  themeConfig: { sidebar: Record<string, Item[]> };
}

const linksOf = (items: readonly Item[]): string[] =>
  items.flatMap(({ link, items: below = [] }) => [...(link === undefined ? [] : [link]), ...linksOf(below)]);

describe('documentation site', () => {
  test('the navigation has every page', async () => {
    const file = pathToFileURL(path.join(docs, '.vitepress/config.mjs')).href;
    const { default: config } = (await import(file)) as { default: Config };
    const links = linksOf(config.themeConfig.sidebar['/'] ?? []);
    const pages = fs
      .readdirSync(docs, { recursive: true, encoding: 'utf8' })
      .map(name => name.replaceAll(path.sep, '/'))
      .filter(name => name.endsWith('.md') && !/^(?:reference|\.vitepress|index\.md)/.test(name))
      .map(name => `/${name.slice(0, -3)}`);
    assert.ok(pages.length > 60);
    const known = new Set(links.map(link => link.replace(/\/$/, '')));
    assert.deepEqual(
      pages.filter(page => !known.has(page)),
      [],
    );
    assert.equal(new Set(links).size, links.length, 'no page is listed twice');
  });

  test('the Readme of every published package links to the documentation', () => {
    for (const home of packageHomes()) {
      const [readme = ''] = fs.readdirSync(path.join(root, home)).filter(name => /^readme\.md$/i.test(name));
      assert.match(fs.readFileSync(path.join(root, home, readme), 'utf8'), /docs\/[\w/-]+\.md/, home);
    }
  });
});
