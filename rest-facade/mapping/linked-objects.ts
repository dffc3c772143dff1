import type { LinkMapping } from './link.ts';
import type { Shape } from './shape.ts';

/** The links of each object of a shape that has any, at every depth. */
export function linkedObjects(shape: Shape): readonly (readonly LinkMapping[])[] {
  const { links = [] } = shape;
  const below = [...shape.values()].flatMap(({ fields }) => (fields === undefined ? [] : linkedObjects(fields)));
  return links.length === 0 ? below : [links, ...below];
}

/** All links of a shape, at every depth. */
export function linksIn(shape: Shape): readonly LinkMapping[] {
  return linkedObjects(shape).flat();
}
