import { LitElement, html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import * as l10n from '@vscode/l10n';
import type { Host, ViewMemory } from '../host';
import type { ViewStore } from '../store';

@customElement('parley-app')
export class ParleyApp extends LitElement {
  private store: ViewStore | undefined;

  connect(_host: Host, store: ViewStore, _memory: ViewMemory): void {
    this.store = store;
    store.onDidChange(() => this.requestUpdate());
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render() {
    const session = this.store?.session;
    return html`<main class="panel" aria-label=${l10n.t('Parley chat')}>
      ${
        session
          ? html`<parley-transcript
              .session=${session}
              .now=${() => this.store?.now() ?? Date.now()}
            ></parley-transcript>`
          : nothing
      }
    </main>`;
  }
}
