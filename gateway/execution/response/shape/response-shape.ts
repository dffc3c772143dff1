import type { DataKey, DataObject } from '../../data/own-properties.ts';
import type { OpenedField } from '../print/field-prefixes.ts';
import type { PrintRun } from '../print/print-run.ts';

/** A leaf value as JSON text; undefined for a value that is none of the type. */
export type LeafToJson = (value: unknown) => string | undefined;

/** The response as the client wants it: plain data, which the printer and the finder of errors both follow. */
export interface ValueShape {
  readonly kind: 'leaf' | 'list' | 'object';
  readonly isNonNull: boolean;
  /** The field as `Type.field`, for messages. */
  readonly owner: string;
  /** Of a leaf. */
  readonly toJson: LeafToJson | undefined;
  /** Of a list. */
  readonly item: ValueShape | undefined;
  /** Of an object: one type, or several told apart by `__typename`. */
  readonly objects: ObjectShapes | undefined;
}

/** The shapes of one place, each compiled when the first value comes: operations can name more than any answer has. */
export interface ObjectShapes {
  /** Of a place whose declared type is an object type; undefined until it is compiled. */
  only: ObjectShape | undefined;
  readonly isAbstract: boolean;
  /** The shape for one `__typename`, or for none; undefined when there is no such value here. */
  shapeOf(typename: string | undefined): ObjectShape | undefined;
  /** The shapes of all types that values can have here. */
  all(): readonly ObjectShape[];
}

/** All fields of one object, for one type of the value. */
export interface ObjectShape {
  readonly fields: readonly FieldShape[];
  /** Where the printed texts of its objects are kept; -1 where no object stands twice. */
  readonly memo: number;
  /** What comes later than the fields; undefined where nothing does. */
  readonly deferred: DeferredShapes | undefined;
  /** Values that must be the caller's id, or the object is not shown; undefined where all may see it. */
  readonly owners: readonly DataKey[] | undefined;
}

/** What of an object, or inside of it, comes later than the rest. */
export interface DeferredShapes {
  /** The deferred fragments that stand at the object. */
  readonly fragments: readonly DeferredFragment[];
  /** Those of its fields inside of which there may be others. */
  readonly ways: readonly FieldShape[];
}

/** A fragment under `@defer`, for one type of the object at which it stands. */
export interface DeferredFragment {
  /** Number of its `@defer`. See `PlannedFetch`. */
  readonly deferral: number;
  /** The object with the fields of the fragment. It may be null: what must not be null takes no more along than the fragment. */
  readonly value: ValueShape;
  /** Whether it stands at an object of a type that was not known before, `undefined` when it still is not; absent where that was certain. */
  readonly doesStand: ((object: DataObject) => boolean | undefined) | undefined;
}

/** How the printer of objects goes about a field: it prints plain leaves itself. */
export type FieldForm = 'text' | 'int' | 'float' | 'boolean' | 'constant' | 'local' | 'owned' | 'other';

/** One field of an object. */
export interface FieldShape extends OpenedField {
  /** Where the tree has the value. */
  readonly key: DataKey;
  readonly form: FieldForm;
  readonly value: ValueShape;
  /** Answered without the tree. */
  readonly local: ((depth: number, run: PrintRun) => string | undefined) | undefined;
  /** Values of the object that must be the caller's id, or the field is not shown; its form is `owned` then. Undefined where all may see it. */
  readonly owners: readonly DataKey[] | undefined;
}
