/** Images as models take them; others are no use to any agent. */
export const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
];

/** Names of files that hold one. */
export const IMAGE_FILE = /\.(?:png|jpe?g|gif|webp)$/i;

/** The largest image that is sent, in bytes. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
