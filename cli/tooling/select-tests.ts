/** A project of `jest.config.js`, with the rule for the files that belong to it. */
export interface TestProject {
  readonly name: string;
  /** Reason why tests belong to the project, for the line that lists the tests. */
  readonly reason: string;
  /** Whether the file, a path relative to the package, is one of its tests. */
  readonly has: (file: string) => boolean;
}

/** Configuration of a Jest project, as far as the selection of tests reads it. */
export interface ProjectConfiguration {
  readonly displayName: string;
  readonly testMatch: readonly string[];
  readonly testPathIgnorePatterns?: readonly string[];
  readonly globals?: { readonly referenceStorage?: string; readonly referenceEngine?: string; readonly plainReader?: boolean };
}

/** Tests to run, or the reason why there are none. */
export type Selection = { readonly projects: readonly ProjectTests[] } | { readonly problem: string };

export interface ProjectTests {
  readonly name: string;
  readonly reason: string;
  readonly files: readonly string[];
}

/**
 * Reads the projects, in the order in which the project of a file is chosen. Tests that start what they need come first, then tests against
 * the reference graph on PostgreSQL. The other projects follow in their order; they repeat some of these tests in another environment.
 *
 * @param toMatcher compiles glob patterns to a function, as Jest does
 */
export function readProjects(
  configurations: readonly ProjectConfiguration[],
  toMatcher: (globs: string[]) => (path: string) => boolean,
): readonly TestProject[] {
  return configurations
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ displayName, testMatch, testPathIgnorePatterns = [], globals }) => {
      const matches = toMatcher(testMatch.map((glob) => glob.replace('<rootDir>', '')));
      const ignored = testPathIgnorePatterns.map((pattern) => new RegExp(pattern));
      return {
        name: displayName,
        reason: reasonOf(globals),
        has: (file) => file.startsWith('tests/') && matches(`/${file}`) && !ignored.some((pattern) => pattern.test(`/${file}`)),
      };
    });
}

/**
 * Selects the tests at the given paths, each in the first project that contains it, or in each of the named projects.
 *
 * @param paths for each given path, the files at or below it
 * @param wanted names of the projects to run; undefined for one project per file
 */
export function selectTests(
  paths: ReadonlyMap<string, readonly string[]>,
  projects: readonly TestProject[],
  wanted?: readonly string[],
): Selection {
  const unknown = (wanted ?? []).filter((name) => !projects.some((project) => project.name === name));
  if (unknown.length > 0) {
    return {
      problem: `Unknown project: ${unknown.join(', ')}. Available projects: ${projects.map(({ name }) => name).join(', ')}.`,
    };
  }
  const allowed = wanted === undefined ? projects : projects.filter(({ name }) => wanted.includes(name));
  const files = new Map<TestProject, Set<string>>(allowed.map((project) => [project, new Set()]));
  for (const [path, below] of paths) {
    const tests = below.filter((file) => allowed.some((project) => project.has(file)));
    if (tests.length === 0) return { problem: noTestsAt(path, below, projects, wanted) };
    for (const file of tests) {
      const having = allowed.filter((project) => project.has(file));
      for (const project of wanted === undefined ? having.slice(0, 1) : having) files.get(project)?.add(file);
    }
  }
  return {
    projects: [...files].flatMap(([{ name, reason }, chosen]) => (chosen.size === 0 ? [] : [{ name, reason, files: [...chosen] }])),
  };
}

/** Describes in one line which tests run in which project, and why. */
export function describeSelection(projects: readonly ProjectTests[]): string {
  const described = projects.map(
    ({ name, reason, files }) => `${files.length} ${files.length === 1 ? 'file' : 'files'} in ${name} (${reason})`,
  );
  return `Running ${described.join(', ')}.`;
}

/** Removes the first occurrence of each token. */
export function without(args: readonly string[], tokens: readonly string[]): readonly string[] {
  const remaining = [...args];
  for (const token of tokens) {
    const index = remaining.indexOf(token);
    if (index >= 0) remaining.splice(index, 1);
  }
  return remaining;
}

function rank({ globals }: ProjectConfiguration): number {
  if (globals?.plainReader === false) return 2;
  if (globals?.referenceStorage === undefined) return 0;
  return globals.referenceStorage === 'postgresql' && globals.referenceEngine === undefined ? 1 : 2;
}

function reasonOf({ referenceStorage, referenceEngine, plainReader }: ProjectConfiguration['globals'] = {}): string {
  if (plainReader === false) return 'leaves all requests to Node.js';
  if (referenceStorage === undefined) return 'starts what it needs';
  const engine = referenceEngine === undefined ? '' : `, with the engine ${referenceEngine}`;
  return `against the reference graph on ${referenceStorage}${engine}`;
}

function noTestsAt(path: string, files: readonly string[], projects: readonly TestProject[], wanted?: readonly string[]): string {
  const others = projects.filter((project) => files.some((file) => project.has(file))).map(({ name }) => name);
  if (wanted !== undefined && others.length > 0) {
    return `Project ${wanted.join(', ')} has no tests at ${path}. Projects with these tests: ${others.join(', ')}.`;
  }
  return `No tests found at ${path}. Tests are files in tests/ whose names end in .test.ts.`;
}
