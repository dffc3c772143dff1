import { register } from 'node:module';
import { register as registerTypeScript } from 'tsx/esm/api';

// Loaded before a process of the tests: its own modules are TypeScript, and those of the product were built, which start in a third of the time.
registerTypeScript();
register('./resolve-built.js', import.meta.url);
