/** Letters that Unicode does not decompose into a Latin letter and a diacritic. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  œ: 'oe',
  Œ: 'OE',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
};

const VALID_NAME = /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/;

/** Names of types that GraphQL, federation or the connect specification define, in lower case. */
const RESERVED_TYPES: ReadonlySet<string> = new Set([
  ...'query mutation subscription int float string boolean id _any _entity _service fieldset'.split(' '),
  ...'json datetime date time uuid bigint any entity service jsonselection urlpathtemplate'.split(' '),
]);

/** Whether GraphQL allows a text as the name of a field, an argument or an enum value. */
export function isGraphqlName(text: string): boolean {
  return VALID_NAME.test(text);
}

/** Splits a text into words of ASCII letters and digits. */
export function wordsOf(text: string): readonly string[] {
  const ascii = Array.from(text.normalize('NFKD'), (letter) => TRANSLITERATIONS[letter] ?? letter).join('');
  return ascii
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

/** Writes words as `camelCase`. A name that would begin with a digit gets an underscore. */
export function camelCase(text: string, fallback: string): string {
  const [first, ...rest] = wordsOf(text);
  if (first === undefined) return fallback;
  const name = [first.toLowerCase(), ...rest.map(capitalized)].join('');
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Writes words as `PascalCase`. */
export function pascalCase(text: string, fallback: string): string {
  const name = wordsOf(text).map(capitalized).join('');
  if (name === '') return fallback;
  return /^\d/.test(name) ? `Type${name}` : name;
}

/** Writes words as `UPPER_CASE`, for enum values and environment variables. */
export function upperCase(text: string, fallback: string): string {
  const name = wordsOf(text).join('_').toUpperCase();
  if (name === '') return fallback;
  return /^\d/.test(name) ? `_${name}` : name;
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${/^[A-Z\d]+$/.test(word) && word.length > 1 ? word.slice(1).toLowerCase() : word.slice(1)}`;
}

/** Returns the name of a field for a name of JSON: the same name if GraphQL allows it. */
export function fieldNameOf(jsonName: string): string {
  return isGraphqlName(jsonName) ? jsonName : camelCase(jsonName, 'field');
}

/** Names that are in use in one scope. */
export interface UsedNames {
  /** Reserves the first free name, or else the last one with a number. */
  take(...candidates: readonly [string, ...string[]]): string;
  has(name: string): boolean;
}

/** Creates a scope for names of fields, arguments or enum values. */
export function createUsedNames(reserved: readonly string[] = []): UsedNames {
  const used = new Set(reserved);
  return {
    has: (name) => used.has(name),
    take(...candidates) {
      let name = candidates.find((candidate) => !used.has(candidate));
      const [last = 'field'] = candidates.slice(-1);
      for (let number = 2; name === undefined; number += 1) {
        if (!used.has(`${last}${number}`)) name = `${last}${number}`;
      }
      used.add(name);
      return name;
    },
  };
}

/** Creates the scope of the names of all types. Names that differ only in case are not both used, because generated code often ignores it. */
export function createTypeNames(): UsedNames {
  const used = createUsedNames();
  return {
    has: (name) => used.has(name.toLowerCase()),
    take(...candidates) {
      const usable = candidates.map((name) => (RESERVED_TYPES.has(name.toLowerCase()) ? `${name}Type` : name));
      const free = usable.find((name) => !used.has(name.toLowerCase()));
      if (free !== undefined) {
        used.take(free.toLowerCase());
        return free;
      }
      const [last = 'Type'] = usable.slice(-1);
      const taken = used.take(last.toLowerCase());
      return `${last}${taken.slice(last.length)}`;
    },
  };
}
