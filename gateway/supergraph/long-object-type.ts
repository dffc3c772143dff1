import { type FieldDefinitionNode, type GraphQLField, type GraphQLFieldMap, GraphQLObjectType } from 'graphql';
import type { ObjectTypeConfig } from './create-type.ts';
import { parseFieldAt } from './parse-field-at.ts';
import { createRecordOnDemand } from './record-on-demand.ts';
import type { RangeTable } from './text-ranges.ts';

/** Text of the fields of a type. */
export interface LongFields {
  readonly text: string;
  /** Positions of the fields in the text. */
  readonly ranges: RangeTable;
  /** Creates the field of a definition. */
  readonly create: (definition: FieldDefinitionNode) => GraphQLField<unknown, unknown>;
}

/** An object type with many fields, such as a root type. Each field is created from its text when it is used. */
export class LongObjectType extends GraphQLObjectType {
  readonly #fields: GraphQLFieldMap<unknown, unknown>;

  constructor(config: ObjectTypeConfig, { text, ranges, create }: LongFields) {
    super(config);
    const created = new Map<string, GraphQLField<unknown, unknown>>();
    this.#fields = createRecordOnDemand({
      names: ranges.names,
      has: (name) => ranges.has(name),
      get(name) {
        const known = created.get(name);
        const range = known === undefined ? ranges.find(name) : undefined;
        if (range === undefined) return known;
        const field = create(parseFieldAt(text, range));
        created.set(name, field);
        return field;
      },
    });
  }

  override getFields(): GraphQLFieldMap<unknown, unknown> {
    return this.#fields;
  }
}
