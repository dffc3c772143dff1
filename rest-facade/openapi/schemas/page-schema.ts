import type { PageBinding } from '../../compile/bindings/paging.ts';
import { LINKS_MEMBER } from '../../response/shape-resource.ts';
import type { JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';
import { PAGE_LINKS } from './links-schema.ts';

/** Items of a page, and the name that pages of them have. */
export interface PageItems {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Whether the page shows where the others are. @defaultValue it does not */
  readonly hasLinks?: boolean;
}

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

/** What a page object says of itself. */
interface PageFacts {
  readonly description: string;
  readonly suffix: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** Told where it is known. */
  readonly optional: Readonly<Record<string, JsonSchema>>;
}

const NUMBERED: PageFacts = {
  description: 'A page that was named by its number.',
  suffix: 'Page',
  properties: { page: { type: 'integer', minimum: 1 }, pageSize: { type: 'integer', minimum: 1 } },
  optional: {
    totalPages: COUNT,
    totalElements: COUNT,
    hasNext: { type: 'boolean', description: 'In place of the totals, where nobody has counted.' },
  },
};

const BY_CURSOR: PageFacts = {
  description: 'A page that was named by a cursor.',
  suffix: 'CursorPage',
  properties: {
    pageSize: { type: 'integer', minimum: 1 },
    nextCursor: { type: ['string', 'null'], description: 'What the next page comes `after`; null on the last page.' },
    hasNext: { type: 'boolean' },
  },
  optional: { totalElements: COUNT },
};

/** The ways in which a route names pages. */
export function pageKinds({ offset, cursor }: PageBinding): readonly PageFacts[] {
  return [...(offset === undefined && cursor !== undefined ? [] : [NUMBERED]), ...(cursor === undefined ? [] : [BY_CURSOR])];
}

/** The page object around items. */
export function pageSchema(binding: PageBinding, { name, schema, hasLinks = false }: PageItems, components: Components): JsonSchema {
  const links = hasLinks ? { [LINKS_MEMBER]: PAGE_LINKS } : {};
  return oneOf(
    pageKinds(binding).map(({ description, suffix, properties, optional }) =>
      components.refer(`${suffix} ${hasLinks} ${JSON.stringify(schema)}`, `${name}${suffix}${hasLinks ? 'WithLinks' : ''}`, () => ({
        type: 'object',
        description,
        properties: { data: { type: 'array', items: schema }, ...properties, ...optional, ...links },
        required: ['data', ...Object.keys({ ...properties, ...links })],
      })),
    ),
  );
}

/** One of several, or the only one. */
export function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { oneOf: schemas };
}
