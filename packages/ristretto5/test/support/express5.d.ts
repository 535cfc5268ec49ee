/** Express 5 under the name it is installed as; its types are not installed. */
declare module 'express5' {
  const express: unknown;
  export default express;
}
