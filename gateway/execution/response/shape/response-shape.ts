import type { DataKey, DataObject } from '../../data/own-properties.ts';
import type { OpenedField } from '../print/field-prefixes.ts';
import type { PrintRun } from '../print/print-run.ts';

/** Prints a leaf value as JSON text; returns undefined for a value that is invalid for the type. */
export type LeafToJson = (value: unknown) => string | undefined;

/** Shape of a response value. Both the printer and the error locator follow it. */
export interface ValueShape {
  readonly kind: 'leaf' | 'list' | 'object';
  readonly isNonNull: boolean;
  /** The field as `Type.field`, for error messages. */
  readonly owner: string;
  /** Defined for leaf values. */
  readonly toJson: LeafToJson | undefined;
  /** Defined for lists. */
  readonly item: ValueShape | undefined;
  /** Defined for objects: the shape of one type, or of several types distinguished by `__typename`. */
  readonly objects: ObjectShapes | undefined;
}

/**
 * Shapes of the objects at one position. Each shape is compiled when its first value arrives, because operations can name more types than a
 * response contains.
 */
export interface ObjectShapes {
  /** The shape of an object type; undefined until it is compiled, and for abstract types. */
  only: ObjectShape | undefined;
  readonly isAbstract: boolean;
  /** Returns the shape for a `__typename`, or for a value without one; undefined when the type is not possible here. */
  shapeOf(typename: string | undefined): ObjectShape | undefined;
  /** Returns the shapes of all types that are possible here. */
  all(): readonly ObjectShape[];
}

/** All fields of an object of one type. */
export interface ObjectShape {
  readonly fields: readonly FieldShape[];
  /** Index of the cache for printed texts of this shape; -1 when its objects occur only once. */
  readonly memo: number;
  /** Deferred fragments of the object; undefined without deferred fragments. */
  readonly deferred: DeferredShapes | undefined;
  /**
   * Keys of the values that must equal the caller's ID. Otherwise the object is not shown. Undefined when all callers are permitted to see
   * it.
   */
  readonly owners: readonly DataKey[] | undefined;
}

/** Deferred fragments of an object and of the values inside it. */
export interface DeferredShapes {
  /** Deferred fragments that apply to the object. */
  readonly fragments: readonly DeferredFragment[];
  /** Fields that can contain further deferred fragments. */
  readonly deferredFields: readonly FieldShape[];
}

/** A fragment with `@defer`, for one type of the object that it applies to. */
export interface DeferredFragment {
  /** Number of its `@defer`. See `PlannedFetch`. */
  readonly deferral: number;
  /** The object with the fields of the fragment. It is nullable, so a null in a non-nullable field removes only the fragment. */
  readonly value: ValueShape;
  /**
   * Whether the fragment applies to an object whose type arrived late; `undefined` while the type is unknown. Absent when the fragment
   * always applies.
   */
  readonly isPresent: ((object: DataObject) => boolean | undefined) | undefined;
}

/** How the object printer prints a field. It prints plain leaf values inline. */
export type FieldEncoding = 'text' | 'int' | 'float' | 'boolean' | 'constant' | 'local' | 'owned' | 'other';

/** Properties of a field that do not depend on its position in the response, unless it contains objects. */
export type FieldContent = Pick<FieldShape, 'encoding' | 'value' | 'constant' | 'local'>;

/** A field of an object. */
export interface FieldShape extends OpenedField {
  /** Key of the value in the tree. */
  readonly key: DataKey;
  readonly encoding: FieldEncoding;
  readonly value: ValueShape;
  /** Prints the field without a value from the tree. */
  readonly local: ((depth: number, run: PrintRun) => string | undefined) | undefined;
  /**
   * Keys of the values that must equal the caller's ID. Otherwise the field is not shown. The form is then `owned`. Undefined when all
   * callers are permitted to see it.
   */
  readonly owners: readonly DataKey[] | undefined;
}
