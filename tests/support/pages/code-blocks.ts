/** Returns the code blocks of a Markdown page in a language, in their order. */
export function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);
}
