import * as l10n from '@vscode/l10n';

/** Largest picture that is sent, in bytes. */
const MAX_BYTES = 10 * 1024 * 1024;

export interface PickedImage {
  readonly name: string;
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** Whether pasted or dropped data has files in it. */
export function hasFiles(data: DataTransfer | null): boolean {
  return data !== null && [...data.types].includes('Files');
}

/**
 * The pictures among `files`, and what to tell the user about those that cannot go along.
 * @param agentTakesImages as the agent says of itself
 */
export async function pickImages(
  files: readonly File[],
  agentName: string,
  agentTakesImages: boolean,
): Promise<{ readonly images: readonly PickedImage[]; readonly refusal?: string }> {
  const pictures = files.filter(({ type }) => type.startsWith('image/'));
  if (pictures.length === 0) {
    return {
      images: [],
      refusal: l10n.t('Only images can be dropped here. Use Add Context for other files.'),
    };
  }
  if (!agentTakesImages) {
    return { images: [], refusal: l10n.t('{0} does not accept images.', agentName) };
  }
  const small = pictures.filter(({ size }) => size <= MAX_BYTES);
  const images = await Promise.all(small.map(readImage));
  return small.length === pictures.length
    ? { images }
    : { images, refusal: l10n.t('Images may have up to {0} MB.', MAX_BYTES / 1024 / 1024) };
}

async function readImage(file: File): Promise<PickedImage> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The image cannot be read.'));
    reader.readAsDataURL(file);
  });
  // A pasted picture has the name that the clipboard gave it, which says nothing.
  const pasted = /^image\.\w+$/.test(file.name) || file.name === '';
  return {
    name: pasted ? l10n.t('Pasted image') : file.name,
    mimeType: file.type,
    data: url.slice(url.indexOf(',') + 1),
  };
}
