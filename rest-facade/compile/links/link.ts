import type { DirectiveNode, InlineFragmentNode } from 'graphql';
import { type DirectiveArguments, type DirectiveUse, type RestMethod, usesOf } from '../documents/directives.ts';
import { parsePathTemplate, type PathTemplate, toTurns } from '../endpoint/path-template.ts';

/** Where one can go from an object. */
export interface LinkMapping {
  readonly rel: string;
  readonly method: RestMethod;
  /** The path as the document has it, by which its endpoint is found. */
  readonly template: PathTemplate;
  /** Text and hidden fields of the object in turns. */
  readonly href: readonly string[];
  /** The link is shown while the field at this path of hidden fields has one of the values; without values, while it is not null. */
  readonly condition?: { readonly path: readonly string[]; readonly values?: ReadonlySet<string> };
  /** Hidden field with the id of the user who owns what the link leads to. */
  readonly owner?: string;
  readonly node: DirectiveNode;
}

/** No field of a document is called so by chance. */
const HIDDEN_PREFIX = '_link_';

type Linked = Parameters<typeof usesOf>[0];

/** Under which name a field that only links need is selected: one for each type that the object may have. */
export function hiddenName(owner: Linked, field: string): string {
  const type = (owner as Partial<InlineFragmentNode>).typeCondition?.name.value;
  return `${HIDDEN_PREFIX}${type === undefined ? '' : `${type}_`}${field}`;
}

export function isHiddenName(name: string): boolean {
  return name.startsWith(HIDDEN_PREFIX);
}

/** The links that a field, or a fragment that is inlined, declares for its object; those that are no path are left out. */
export function readLinks(owner: Linked): readonly LinkMapping[] {
  return usesOf(owner, 'link').flatMap(
    ({ node, values: { rel, href, method, if: field, in: allowed, owner: ownerField } }): readonly LinkMapping[] => {
      const template = parsePathTemplate(href);
      if (typeof template === 'string') return [];
      const turns = toTurns(template).map((part, index) => (index % 2 === 0 ? part : hiddenName(owner, part)));
      const link: LinkMapping = { rel, method, template, href: turns, node, ...conditionOf(owner, field, allowed) };
      return [typeof ownerField === 'string' ? { ...link, owner: hiddenName(owner, ownerField) } : link];
    },
  );
}

function conditionOf(
  owner: Linked,
  field: string | null | undefined,
  allowed: readonly string[] | null | undefined,
): Pick<LinkMapping, 'condition'> {
  if (typeof field !== 'string') return {};
  const [first = '', ...rest] = field.split('.');
  const path = [hiddenName(owner, first), ...rest];
  return { condition: Array.isArray(allowed) ? { path, values: new Set(allowed) } : { path } };
}

export type LinkUse = DirectiveUse<DirectiveArguments['link']>;
