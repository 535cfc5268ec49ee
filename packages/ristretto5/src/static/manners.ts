/** How files are sent by 5.x: names that begin with a dot are hidden wherever they stand in a path. */
import type { FileManners } from 'ristretto/lib/static/options';
import { typeOfFile } from '../protocol/media-types';

export const express5: FileManners = {
  dotfiles: 'ignore',
  knowsHidden: false,
  contentType: typeOfFile,
  tagDecides: true,
  hasStrictRanges: true,
};
