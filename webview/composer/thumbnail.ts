/** Sides of a thumbnail, in pixels: twice what it is shown at, for sharp screens. */
const THUMBNAIL = 32;

/** The middle of an image, as a square: a data URL. */
export function thumbnailOf(bitmap: ImageBitmap): string {
  const canvas = document.createElement('canvas');
  canvas.width = THUMBNAIL;
  canvas.height = THUMBNAIL;
  const { width, height } = bitmap;
  const side = Math.min(width, height);
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, THUMBNAIL, THUMBNAIL);
  return canvas.toDataURL('image/webp');
}
