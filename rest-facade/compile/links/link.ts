import type { DirectiveNode, InlineFragmentNode } from 'graphql';
import { type DirectiveArguments, type DirectiveUse, type RestMethod, usesOf } from '../documents/directives.ts';
import { parsePathTemplate, type PathTemplate, toTurns } from '../endpoint/path-template.ts';

/** A link from an object to an endpoint. */
export interface LinkMapping {
  readonly rel: string;
  readonly method: RestMethod;
  /** Path from the document, which identifies the endpoint. */
  readonly template: PathTemplate;
  /** Literal text and hidden fields of the object, alternating. */
  readonly href: readonly string[];
  /** The link is shown while the hidden field at this path has one of the values, or, without values, while it is not null. */
  readonly condition?: { readonly path: readonly string[]; readonly values?: ReadonlySet<string> };
  /** Hidden field with the id of the user who owns the target of the link. */
  readonly owner?: string;
  readonly node: DirectiveNode;
}

/** Prefix that fields of documents are unlikely to have. */
const HIDDEN_PREFIX = '_link_';

type Linked = Parameters<typeof usesOf>[0];

/** Returns the response name for a field that only links need. The name is distinct for each type that the object can have. */
export function hiddenName(owner: Linked, field: string): string {
  const type = (owner as Partial<InlineFragmentNode>).typeCondition?.name.value;
  return `${HIDDEN_PREFIX}${type === undefined ? '' : `${type}_`}${field}`;
}

export function isHiddenName(name: string): boolean {
  return name.startsWith(HIDDEN_PREFIX);
}

/** Reads the links of a field or of an inlined fragment. Links with an invalid path are omitted. */
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
