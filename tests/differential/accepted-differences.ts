/**
 * Known differences between results of the stock gateway and those of a server without federation. In each of them, Gatefold returns the
 * result of a single graphql-js schema with the same data. The tests check that.
 */
const ACCEPTED_DIFFERENCES = {
  'key order':
    'Stock writes fields in the order in which its nested fragments are visited per parent, not in the order of the operation ' +
    '(GraphQL specification, 6.3.2), where a field is first met in a fragment that is merged later.',
  'lists of lists in requires':
    'Stock reads required fields through one level of lists only: the subgraph gets null for each inner list, and computes with that.',
  'abstract fragment on object':
    'Stock drops fields in a fragment inside a fragment on a union or interface, on an object that came without its type name.',
  'error at another item':
    'Stock counts the items of a list to find where an error of an entity belongs, those too that were not sent to the subgraph, ' +
    'and puts the error at a wrong item.',
  'type name of an interface object':
    'Stock lets the name of the interface, as a subgraph with `@interfaceObject` gives it, replace the name of the implementation, and the object is lost.',
  'required fields of a skipped field':
    'Stock sends null for required fields of one field when another field that needs more of them is skipped, or asks for nothing at all.',
  'planner alias in path':
    'Stock leaves the alias that the planner made up in the path of an error, where the client knows another response key.',
  'falsy value under planner alias':
    'Stock does not rename values that are 0, false, the empty string or null from the planner’s alias, so they are lost.',
  'merged introspection':
    'Stock answers the first occurrence of an introspection field and leaves out what others of the same key ask for.',
  'completion beside errors':
    'Stock reports nulls and values that do not fit the schema in an extension, and only where no subgraph reported an error; we list them as errors.',
  'alias taken for a field':
    'The planner asks for keys and required fields by their names; stock answers an alias of such a name with the value of that field.',
  'order of a mutation':
    'The planner moves root fields in fragments together, and stock has them done in that order instead of the order of the operation.',
  'decided condition lost':
    'The planner forgets a condition with a literal value inside of what depends on a variable; stock asks for what is left out, and ' +
    'reports its errors or loses what is around it.',
} as const;

/** Name of a known difference. */
export type AcceptedDifference = keyof typeof ACCEPTED_DIFFERENCES;
