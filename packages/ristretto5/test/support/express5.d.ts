/** Express 5 under the name that it is installed by; its types are not. */
declare module 'express5' {
  const express: unknown;
  export default express;
}
