/** The value of a key; made, and kept, when it is first asked for. */
export function keptIn<Key, Value>(values: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = make(key);
    values.set(key, value);
  }
  return value;
}
