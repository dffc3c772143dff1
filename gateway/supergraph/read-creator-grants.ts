import { type DocumentNode, Kind, type SelectionSetNode, parse } from 'graphql';
import { argumentsOf, directiveLocationsIn } from '../directives/directive-locations.ts';
import { SupergraphInvalid } from './supergraph-invalid.ts';
import { type LinkedFeature, directiveNameIn } from '../directives/read-features.ts';

/** `@creatorMayRead` by coordinate of the mutation field: the selection of its result in `fields`. */
export type CreatorGrants = ReadonlyMap<string, SelectionSetNode>;

const CREATOR = 'https://gatefold.dev/creator';

/**
 * Reads `@creatorMayRead`. A name that was changed on import is resolved by the address of the feature.
 *
 * @throws SupergraphInvalid when `fields` is not a selection
 */
export function readCreatorGrants(document: DocumentNode, features: readonly LinkedFeature[]): CreatorGrants {
  const grants = new Map<string, SelectionSetNode>();
  const feature = features.find(({ identity }) => identity === CREATOR);
  if (feature === undefined) return grants;
  const name = directiveNameIn(feature, 'creatorMayRead');
  for (const { coordinate, node } of directiveLocationsIn(document, (one) => one === name)) {
    grants.set(coordinate, selectionIn(argumentsOf(node)['fields'], coordinate));
  }
  return grants;
}

function selectionIn(fields: unknown, coordinate: string): SelectionSetNode {
  try {
    const [definition, ...others] = parse(`{${String(fields)}}`, { noLocation: true }).definitions;
    if (definition?.kind === Kind.OPERATION_DEFINITION && others.length === 0) return definition.selectionSet;
  } catch {
    // The message below names the location, which the parser error does not contain.
  }
  throw new SupergraphInvalid(
    `The supergraph cannot be served: @creatorMayRead(fields: ${JSON.stringify(fields)}) of ${coordinate} is not a valid selection. ` +
      'Use a selection such as "user { email }".',
  );
}
