/** From an outcome to what fits. The other modules are this folder's own. */
export { bound, type IBoundOptions, type Keep } from './bound';
export { cap, type ICapOptions } from './cap';
export {
  capError,
  type IEnvelope,
  type IErrorContent,
  type INextRange,
  type ITruncation
} from './envelope';
export { type IJsonObject, type Json } from './json';
export {
  type IKept,
  type IKeptOptions,
  type IKeptPart,
  type IRange,
  Kept,
  type KeptReading
} from './kept';
export { joinLines } from './mime';
export { toJson } from './plain';
export {
  decodeBase64,
  encodeBase64,
  type IPictureHeader,
  LONGEST_SIDE,
  PICTURE_TYPES,
  type PictureType,
  readPicture
} from './picture';
export { prepare } from './prepare';
export { firstOf, type IShown, lastOf, shortened } from './parts';
export { firstPrinted, lastPrinted, Printed } from './printed';
export { REDACTED, type Redact, redactor, type Torn } from './redact';
export { cleanText } from './terminal';
export { type IPart, sliceRange, wellFormed } from './text';
