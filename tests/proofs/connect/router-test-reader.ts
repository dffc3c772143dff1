import { posix } from 'node:path';
import type { Checkout } from './checkout.ts';
import { type RouterSurroundings, type RouterTest, RouterVocabulary } from './router-vocabulary.ts';
import { RustModule } from './rust-module.ts';
import { tokenizeRust } from './rust-tokens.ts';
import { UNKNOWN } from './rust-values.ts';

const PACKAGE = 'apollo-router';
const FOLDER = `${PACKAGE}/src/plugins/connectors/tests`;

/** Files with helpers of the tests. */
const HELPERS = new Set(['mock_api.rs', 'req_asserts.rs']);

/** A test of the router, with the name of its file. */
export interface LocatedRouterTest {
  readonly file: string;
  readonly test: RouterTest;
}

/** Reads the tests of connectors of the other router: their servers, operations and expectations. */
export function readRouterTests(checkout: Checkout): readonly LocatedRouterTest[] {
  const main = openModule(checkout, 'mod.rs', new Map());
  const files = checkout
    .list(FOLDER)
    .map((path) => posix.basename(path))
    .filter((file) => file.endsWith('.rs') && !HELPERS.has(file));
  return files.flatMap((file) => {
    const { module, vocabulary } = openModule(checkout, file, main.module.constants);
    module.runTests((test) => vocabulary.begin(test));
    return vocabulary.tests.map((test) => ({ file, test }));
  });
}

function openModule(checkout: Checkout, file: string, constants: ReadonlyMap<string, unknown>) {
  const read = (path: string): string => checkout.read(posix.normalize(path));
  const surroundings: RouterSurroundings = {
    readFile: (path) => read(`${FOLDER}/${path}`),
    readPackageFile: (path) => read(`${PACKAGE}/${path}`),
    callMock: (name, args) => mocks?.call(name, args) ?? UNKNOWN,
    run: (closure, args) => module.run(closure, args),
  };
  const vocabulary = new RouterVocabulary(surroundings);
  const mocks = new RustModule(tokenizeRust(read(`${FOLDER}/mock_api.rs`)), vocabulary);
  const module = new RustModule(tokenizeRust(read(`${FOLDER}/${file}`)), vocabulary, constants);
  return { module, vocabulary };
}
