import type { OperationTypeNode } from 'graphql';

/** What a document asks for, before its fragments are expanded: all that limits look at, and no tree. */
export interface DocumentOutline {
  /** In the order of the document. */
  readonly operations: readonly DefinitionOutline[];
  /** By name; of two with one name, the last. */
  readonly fragments: ReadonlyMap<string, DefinitionOutline>;
  /** Of all definitions, used or not. */
  readonly directives: number;
  /** Most directives in one place, and where the first such place begins. @unit directives, UTF-16 code units */
  readonly mostDirectives: number;
  readonly fullestPlace: number;
  readonly tokens: number;
  readonly comments: number;
  /** Line breaks in block strings. */
  readonly blockLines: number;
  /** Reading stopped at the longest document: there is more of one of these, and the rest is not known. */
  readonly isCut: boolean;
}

/**
 * An operation or a fragment. What stands below `__schema` and `__type`, and these themselves, is introspection and counted apart; the
 * levels of each kind are counted without those of the other.
 */
export interface DefinitionOutline {
  /** Undefined for a fragment. */
  readonly operation: OperationTypeNode | undefined;
  /** Empty for an operation without a name. */
  readonly name: string;
  /** Where it begins in the text. @unit UTF-16 code units */
  readonly start: number;
  readonly dataDepth: number;
  readonly dataAliases: number;
  /** Fields, spreads and inline fragments. */
  readonly dataSelections: number;
  readonly introspectionDepth: number;
  readonly introspectionAliases: number;
  readonly introspectionSelections: number;
  /** Levels of both kinds together: what counts where a fragment is spread inside introspection. */
  readonly wholeDepth: number;
  /** Fields of the data that are not below other fields. */
  readonly rootFields: number;
  readonly spreads: readonly SpreadOutline[];
  /** Root fields among those that were looked out for, once for each time. */
  readonly watchedFields: readonly string[];
}

/** A fragment's name where its fields go. */
export interface SpreadOutline {
  readonly name: string;
  /** Levels above it. */
  readonly dataDepth: number;
  readonly introspectionDepth: number;
}
