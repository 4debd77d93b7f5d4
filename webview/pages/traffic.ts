import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import { sizeText } from '../../src/base/bytes';
import { numberText } from '../../src/base/language';
import type {
  TrafficIntent,
  TrafficRow,
  TrafficState,
  TrafficSum,
} from '../../src/shared/trafficPage';
import { nativeButton } from './nativeButton';
import { PageElement } from './pageElement';

/** "Protocol Traffic": what was said with an agent, how large it was, and how long answers took. */
@customElement('parley-traffic')
export class TrafficElement extends PageElement<TrafficState, TrafficIntent> {
  @state() private query = '';

  protected override render() {
    const { state } = this;
    if (!state) return nothing;
    const query = this.query.toLowerCase();
    const rows = state.rows.filter(({ what }) => what.toLowerCase().includes(query));
    return html`<main aria-label=${l10n.t('Protocol Traffic')} class="wide">
      <h1>${l10n.t('Protocol Traffic')}</h1>
      <p role="status">${summary(state)}</p>
      <div class="tools">
        <input
          type="search"
          aria-label=${l10n.t('Search messages')}
          placeholder=${l10n.t('Search messages')}
          .value=${this.query}
          @input=${(event: Event) => (this.query = (event.target as HTMLInputElement).value)}
        />
        ${nativeButton({ label: l10n.t('Refresh'), onClick: () => this.send({ type: 'refresh' }) })}
        ${nativeButton({
          label: l10n.t('Export…'),
          kind: 'primary',
          onClick: () => this.send({ type: 'export' }),
        })}
      </div>
      ${rows.length > 0 ? table(rows) : query === '' ? nothing : noMatch(this.query)}
    </main>`;
  }
}

function noMatch(query: string): TemplateResult {
  return html`<p role="status">${l10n.t('No message matches "{0}".', query)}</p>`;
}

function summary({ agent, sent, received, leftOut }: TrafficState): string {
  const sum = ({ messages, bytes }: TrafficSum) =>
    l10n.t('{0} messages, {1}', messages, sizeText(bytes));
  const parts = [
    l10n.t('To {0}: {1}.', agent, sum(sent)),
    l10n.t('From {0}: {1}.', agent, sum(received)),
    ...(leftOut > 0 ? [l10n.t('{0} older messages are not shown.', leftOut)] : []),
  ];
  return parts.join(' ');
}

function table(rows: readonly TrafficRow[]): TemplateResult {
  const slowest = Math.max(1, ...rows.map(({ latency = 0 }) => latency));
  return html`<table>
    <thead>
      <tr>
        <th scope="col" class="num">${l10n.t('Time')}</th>
        <th scope="col">${l10n.t('Message')}</th>
        <th scope="col" class="num">${l10n.t('Answered after')}</th>
        <th scope="col" class="num">${l10n.t('Size')}</th>
      </tr>
    </thead>
    <tbody>
      ${repeat(rows, row => tableRow(row, slowest))}
    </tbody>
  </table>`;
}

function tableRow({ t, from, kind, what, bytes, latency }: TrafficRow, slowest: number) {
  return html`<tr data-from=${from} data-kind=${kind}>
    <td class="num">${seconds(t)}</td>
    <td>
      <span aria-hidden="true">${from === 'client' ? '→' : '←'}</span>
      <span class="vh">${from === 'client' ? l10n.t('Sent:') : l10n.t('Received:')}</span>
      <code>${what}</code>
      ${kind === 'error' ? html`<span class="bad">${l10n.t('error')}</span>` : nothing}
      ${kind === 'answer' ? html`<span class="hint">${l10n.t('answer')}</span>` : nothing}
    </td>
    ${
      latency === undefined
        ? html`<td></td>`
        : html`<td class="num" data-label=${l10n.t('Answered after')}>
            <progress aria-hidden="true" max=${slowest} value=${latency}></progress> ${seconds(
              latency,
            )}
          </td>`
    }
    <td class="num">${sizeText(bytes)}</td>
  </tr>`;
}

/** `0.042 s` */
function seconds(milliseconds: number): string {
  return l10n.t('{0} s', numberText(milliseconds / 1000, 3, true));
}
