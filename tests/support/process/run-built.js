import { register } from 'node:module';
import { register as registerTypeScript } from 'tsx/esm/api';

// Preloaded in test processes. Their own modules are TypeScript, and the modules of the product are built, which start in a third of the
// time.
registerTypeScript();
register('./resolve-built.js', import.meta.url);
