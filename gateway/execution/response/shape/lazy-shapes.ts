import type { ObjectShape, ObjectShapes } from './response-shape.ts';

/** Shapes at a position whose values have one type. */
export class ShapesOfOneType implements ObjectShapes {
  only: ObjectShape | undefined = undefined;
  readonly isAbstract = false;
  #compile: (() => ObjectShape) | undefined;

  constructor(compile: () => ObjectShape) {
    this.#compile = compile;
  }

  shapeOf(): ObjectShape {
    if (this.only === undefined) {
      if (this.#compile === undefined) throw new Error('The shape has no compiler.');
      this.only = this.#compile();
      this.#compile = undefined; // The compiler holds the document, which takes more memory than the shapes.
    }
    return this.only;
  }

  all(): readonly ObjectShape[] {
    return [this.shapeOf()];
  }
}

/** Shapes at a position whose values have an interface or a union as their type. */
export class ShapesOfSeveralTypes implements ObjectShapes {
  readonly only = undefined;
  readonly isAbstract = true;
  readonly #known = new Map<string | undefined, ObjectShape>();
  readonly #compile: (typename: string | undefined) => ObjectShape | undefined;
  readonly #possibleTypes: () => readonly string[];

  /** @param possibleTypes Returns the names of the object types that are possible here. */
  constructor(compile: (typename: string | undefined) => ObjectShape | undefined, possibleTypes: () => readonly string[]) {
    this.#compile = compile;
    this.#possibleTypes = possibleTypes;
  }

  shapeOf(typename: string | undefined): ObjectShape | undefined {
    const known = this.#known.get(typename);
    if (known !== undefined) return known;
    const shape = this.#compile(typename);
    if (shape !== undefined) this.#known.set(typename, shape);
    return shape;
  }

  all(): readonly ObjectShape[] {
    return this.#possibleTypes().flatMap((typename) => this.shapeOf(typename) ?? []);
  }
}
