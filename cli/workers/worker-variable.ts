/** Variable that the primary sets for its workers. Other programs also start processes with `node:cluster`. */
export const WORKER_VARIABLE = 'GATEFOLD_WORKER';
