/** The parser of multipart bodies, apart from the door of protocol/, because few programs load it. */
export { BOUNDARY_LIMIT, HEADER_LIMIT, MultipartParser } from './protocol/multipart';
export type { MultipartHandler } from './protocol/multipart';
