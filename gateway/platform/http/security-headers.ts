/** On answers that depend on who asks, or when: nobody keeps them. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/** On pages: no frames, no referrer, nothing of theirs into other sites. */
export const PAGE_SECURITY = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;
