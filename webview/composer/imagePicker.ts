import { html, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { IMAGE_TYPES } from '../../src/shared/images';
import { iconButton } from '../ui/button';

/** The button for images, with the input behind it that shows the system's dialog. */
export function imagePicker(pick: (files: readonly File[]) => void): TemplateResult {
  return html`${iconButton({
      icon: 'file-media',
      label: l10n.t('Attach Images'),
      title: l10n.t('Attach Images… (or paste or drop them)'),
      onClick: ({ currentTarget }) =>
        ((currentTarget as HTMLElement).nextElementSibling as HTMLInputElement).click(),
    })}<input
      type="file"
      aria-label=${l10n.t('Attach Images')}
      hidden
      multiple
      accept=${IMAGE_TYPES.join(',')}
      @change=${({ currentTarget }: Event) => {
        const input = currentTarget as HTMLInputElement;
        const files = [...(input.files ?? [])];
        // The same file can be picked again.
        input.value = '';
        pick(files);
      }}
    />`;
}
