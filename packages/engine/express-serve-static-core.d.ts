/// <reference types="node" />
/**
 * The module name under which TypeScript programs for Express import and augment the core types. `lib/types/core.d.ts`
 * fills it, so that both `import type { ParamsDictionary } from 'express-serve-static-core'` and
 * `declare module 'express-serve-static-core' { interface Request { user?: User } }` mean the types of this package.
 */
declare module 'express-serve-static-core' {}
