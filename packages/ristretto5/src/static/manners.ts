/** How 5.x serves files: a name that starts with a dot is hidden anywhere in a path. */
import type { FileManners } from '@ristretto/private-engine/lib/static';
import { typeOfFile } from '../protocol/media-types';

export const express5: FileManners = {
  dotfiles: 'ignore',
  knowsHidden: false,
  contentType: typeOfFile,
  tagDecides: true,
  hasStrictRanges: true,
};
