/** Runs all steps of some work at once. @throws any error of a step */
export function runSteps<T>(steps: Generator<undefined, T, undefined>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
