import { type ConstArgumentNode, type ConstDirectiveNode, type ConstValueNode, type DocumentNode, Kind } from 'graphql';
import { argumentsOf } from '../../directives/directive-locations.ts';
import { directiveNameIn, joinFeatureIn, readFeatures } from '../../directives/read-features.ts';

/** Names of the elements of the join specification in one supergraph, which a link may have renamed. */
export interface JoinNames {
  /** Enum whose values are the subgraphs. */
  readonly graphs: string;
  readonly graph: string;
  readonly type: string;
  readonly field: string;
  readonly implements: string;
  readonly unionMember: string;
  readonly enumValue: string;
  /** Directive that carries directives of single subgraphs. */
  readonly directive: string;
}

/** Returns undefined if the document does not link the join specification. */
export function joinNamesIn(document: DocumentNode): JoinNames | undefined {
  const join = joinFeatureIn(readFeatures(document));
  if (join === undefined) return undefined;
  const nameOf = (directive: string): string => directiveNameIn(join, directive);
  return {
    graphs: `${join.namespace}__Graph`,
    graph: nameOf('graph'),
    type: nameOf('type'),
    field: nameOf('field'),
    implements: nameOf('implements'),
    unionMember: nameOf('unionMember'),
    enumValue: nameOf('enumValue'),
    directive: nameOf('directive'),
  };
}

/** Whether a join directive names a subgraph in its argument `graph`. */
export function isOfGraph(directive: ConstDirectiveNode, graph: string): boolean {
  return argumentsOf(directive)['graph'] === graph;
}

/** Creates a use of a directive. Arguments without a value are omitted. */
export function createDirective(name: string, values: Readonly<Record<string, ConstValueNode | undefined>>): ConstDirectiveNode {
  const given = Object.entries(values).flatMap(([argument, value]): readonly ConstArgumentNode[] => {
    return value === undefined ? [] : [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: argument }, value }];
  });
  return { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: name }, arguments: given };
}

export function enumLiteral(value: string): ConstValueNode {
  return { kind: Kind.ENUM, value };
}

export function stringLiteral(value: string): ConstValueNode {
  return { kind: Kind.STRING, value };
}

export function booleanLiteral(value: boolean): ConstValueNode {
  return { kind: Kind.BOOLEAN, value };
}

/** Returns a directive with another value of one argument. */
export function withArgument(directive: ConstDirectiveNode, name: string, value: ConstValueNode): ConstDirectiveNode {
  return {
    ...directive,
    arguments: directive.arguments?.map((argument) => (argument.name.value === name ? { ...argument, value } : argument)) ?? [],
  };
}
