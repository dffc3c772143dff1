/**
 * Known differences between results of the stock gateway and those of a server without federation. In each of them, Gatefold returns the
 * result of a single graphql-js schema with the same data. The tests check that.
 */
const ACCEPTED_DIFFERENCES = {
  'key order':
    'The stock gateway writes fields in the order in which its nested fragments are visited per parent, not in the order of the operation ' +
    '(GraphQL specification, 6.3.2), where a field is first met in a fragment that is merged later.',
  'lists of lists in requires':
    'The stock gateway reads required fields through one level of lists only: the subgraph gets null for each inner list, and computes with that.',
  'abstract fragment on object':
    'The stock gateway drops fields in a fragment inside a fragment on a union or interface, on an object that came without its type name.',
  'error at another item':
    'The stock gateway counts the items of a list to find the item of an entity error, including those that were not sent to the subgraph, ' +
    'and puts the error at a wrong item.',
  'type name of an interface object':
    'The stock gateway lets the name of the interface, as a subgraph with `@interfaceObject` returns it, replace the name of the implementation, and the object is lost.',
  'required fields of a skipped field':
    'The stock gateway sends null for required fields of one field when another field that needs more of them is skipped, or fetches nothing at all.',
  'planner alias in path':
    'The stock gateway leaves the alias that the planner created in the path of an error, where the client knows another response key.',
  'falsy value under planner alias':
    'The stock gateway does not rename values that are 0, false, the empty string or null from the planner’s alias, so they are lost.',
  'merged introspection':
    'The stock gateway resolves the first occurrence of an introspection field and omits the selections of others with the same key.',
  'completion beside errors':
    'The stock gateway reports nulls and values that do not fit the schema in an extension, and only if no subgraph reported an error. Gatefold lists them as errors.',
  'alias taken for a field':
    'The planner fetches keys and required fields by their names. The stock gateway returns the value of that field for an alias of such a name.',
  'order of a mutation':
    'The planner moves root fields in fragments together, and the stock gateway runs them in that order instead of the order of the operation.',
  'decided condition lost':
    'The planner drops a condition with a literal value inside of a variable condition. The stock gateway fetches the excluded fields, and ' +
    'reports their errors or loses the data around them.',
} as const;

/** Name of a known difference. */
export type AcceptedDifference = keyof typeof ACCEPTED_DIFFERENCES;
