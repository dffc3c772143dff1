import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchors.ts';

/** Sections of `docs/README.md`, in their order, with the pages that each lists. */
function sidebar() {
  const index = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  return index
    .split('\n## ')
    .slice(1)
    .map((section) => ({
      text: section.split('\n')[0],
      items: [...section.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].map(([, text, link]) => ({
        text: text.replaceAll('`', ''),
        link: new URL(link, 'http://site/docs/').pathname,
      })),
    }))
    .filter(({ items }) => items.length > 0);
}

export default defineConfig({
  title: 'Gatefold',
  description: 'GraphQL federation gateway for Node.js with a REST facade',
  lang: 'en-US',
  // Links between the pages and the files at the root of the repository stay as they are.
  srcDir: '..',
  srcExclude: [
    'node_modules/**',
    'dist/**',
    'coverage/**',
    '.changeset/**',
    '.gatefold/**',
    '{bench,cli,gateway,rest-facade,schema,studio,subgraphs,tests}/**',
  ],
  rewrites: { 'README.md': 'index.md' },
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  // Files of the repository that are not pages, such as LICENSE and sources.
  ignoreDeadLinks: [/\/LICENSE$/, /^https?:\/\/127\.0\.0\.1/],
  markdown: {
    anchor: { slugify: anchorOf },
    // Pages contain no HTML but comments: text such as <name> is text.
    config: ({ renderer, utils }) => {
      const asText = (tokens, index) => (tokens[index].content.startsWith('<!--') ? '' : utils.escapeHtml(tokens[index].content));
      renderer.rules.html_block = asText;
      renderer.rules.html_inline = asText;
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Get started', link: '/docs/get-started/your-own-graph' },
      { text: 'Guides', link: '/docs/' },
      { text: 'Reference', link: '/docs/reference/configuration' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
  },
});
