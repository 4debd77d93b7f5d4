import * as l10n from '@vscode/l10n';
import { sizeText } from '../../src/base/bytes';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../../src/shared/images';
import type { Intent } from '../../src/shared/intents';
import { thumbnailOf } from './thumbnail';

/** An image that can go along with a message. */
export type PickedImage = Omit<Extract<Intent, { type: 'attachImage' }>, 'type'>;

/** The images among `files`, and what to show the user about those that cannot go along. */
export async function pickImages(
  files: readonly File[],
): Promise<{ readonly images: readonly PickedImage[]; readonly refusal?: string }> {
  const images: PickedImage[] = [];
  const refusals: string[] = [];
  for (const file of files) {
    const refusal = refusalOf(file);
    const image = refusal === undefined ? await readImage(file) : undefined;
    if (image) images.push(image);
    else refusals.push(refusal ?? l10n.t('{0} cannot be read as an image.', nameOf(file)));
  }
  return { images, ...(refusals.length > 0 && { refusal: refusals.join(' ') }) };
}

function refusalOf(file: File): string | undefined {
  if (!file.type.startsWith('image/')) {
    return l10n.t('{0} is not an image. Use Add Context for other files.', nameOf(file));
  }
  if (!IMAGE_TYPES.includes(file.type)) {
    return l10n.t('{0}: only PNG, JPEG, GIF and WebP images can be attached.', nameOf(file));
  }
  if (file.size <= MAX_IMAGE_BYTES) return undefined;
  return l10n.t(
    '{0} is too large: {1}. Images may have up to {2}.',
    nameOf(file),
    sizeText(file.size),
    sizeText(MAX_IMAGE_BYTES),
  );
}

/** Undefined when the browser cannot draw it, whatever its name says. */
async function readImage(file: File): Promise<PickedImage | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  const { width, height } = bitmap;
  const thumbnail = thumbnailOf(bitmap);
  bitmap.close();
  return {
    name: nameOf(file),
    mimeType: file.type,
    data: await base64Of(file),
    width,
    height,
    thumbnail,
  };
}

async function base64Of(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The image cannot be read.'));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

/** A pasted image has the name that the clipboard gave it, which says nothing. */
function nameOf({ name }: File): string {
  return name === '' || /^image\.\w+$/.test(name) ? l10n.t('Pasted image') : name;
}
