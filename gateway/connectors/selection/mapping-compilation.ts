import type { WantedFields } from './compiled-mapping.ts';
import type { CompiledFields } from './map-selection.ts';
import type { Evaluate, MappingRun, StaticPlace } from './mapping-run.ts';
import type { ObjectNode, SelectionNode } from './selection-node.ts';

/** Variables that `->as` declares, by name with dollar sign, each with the number of its declaration. */
export type LocalVariables = ReadonlyMap<string, number>;

/** State of a compilation, and the functions that compile parts of a mapping. */
export interface MappingCompilation {
  /** Number of declarations so far. */
  declarations: number;
  readonly compileNode: (node: SelectionNode, wanted: WantedFields | undefined, locals: LocalVariables) => Evaluate;
  /** Compiles the fields of a selection, without its loop over lists. */
  readonly compileFields: (node: ObjectNode, wanted: WantedFields | undefined, locals: LocalVariables) => CompiledFields;
}

/** One step of a path: computes the next value from the previous one, which is not `undefined`. */
export type CompiledStep = (value: unknown, root: unknown, run: MappingRun) => unknown;

/** Surroundings of a call of a method. */
export interface MethodScope {
  readonly locals: LocalVariables;
  readonly compilation: MappingCompilation;
  /** Location of the result. */
  readonly place: StaticPlace;
  /** Fields that are needed of the result. */
  readonly wanted: WantedFields | undefined;
}
