import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import type {
  BrowseAgent,
  BrowseInstalled,
  BrowseIntent,
  BrowseWay,
} from '../../src/shared/browsePage';
import { nativeButton } from './nativeButton';

type Send = (intent: BrowseIntent) => void;

/** One agent of the list. */
export function browseEntry(agent: BrowseAgent, send: Send): TemplateResult {
  const { id, name, version, description, license, authors, installed, ways, problem } = agent;
  const facts = [version, license, authors].filter(fact => fact !== undefined && fact !== '');
  return html`<li>
    <article aria-label=${name}>
      ${agent.icon === undefined ? nothing : html`<img src=${agent.icon} alt="" loading="lazy" />`}
      <div class="grow">
        <h2>${name}</h2>
        <p>${description}</p>
        <p class="hint">${facts.join(' · ')}</p>
        ${installed ? present(agent, installed, send) : nothing}
        ${problem === undefined ? nothing : html`<p class="bad" role="alert">${problem}</p>`}
        ${agent.busy ? progress(agent, agent.busy, send) : nothing}
        ${
          ways.length === 0
            ? html`<p class="hint">${l10n.t('Not available for this system.')}</p>`
            : html`<details ?open=${!installed}>
                <summary>${l10n.t('What is installed')}</summary>
                <ul class="ways">
                  ${ways.map((way, index) => wayRow(agent, way, index, send))}
                </ul>
              </details>`
        }
        ${
          agent.hasWebsite
            ? nativeButton({
                label: l10n.t('Website'),
                name: l10n.t('Website of {0}', name),
                kind: 'plain',
                onClick: () => send({ type: 'openWebsite', id }),
              })
            : nothing
        }
      </div>
    </article>
  </li>`;
}

function wayRow(agent: BrowseAgent, way: BrowseWay, index: number, send: Send): TemplateResult {
  const { id, name, installed } = agent;
  const label = installed ? l10n.t('Install {0}', agent.version) : l10n.t('Install');
  return html`<li>
    <div class="grow">
      <p><b>${way.label}</b> ${way.downloads}</p>
      <p class="hint">${l10n.t('Runs')} <code>${way.runs}</code></p>
    </div>
    ${nativeButton({
      label,
      name: l10n.t('Install {0} with {1}', name, way.label),
      ...(index === 0 && !installed && { kind: 'primary' as const }),
      disabled: agent.busy !== undefined,
      onClick: () => send({ type: 'install', id, way: index }),
    })}
  </li>`;
}

/** What is here of it. */
function present(agent: BrowseAgent, installed: BrowseInstalled, send: Send): TemplateResult {
  const { id, name } = agent;
  const { current, versions, isPinned, update } = installed;
  const select = (event: Event): void =>
    send({ type: 'use', id, version: (event.target as HTMLSelectElement).value });
  return html`<div class="tools">
    <span>
      ${
        update === undefined
          ? l10n.t('Installed.')
          : l10n.t('Installed. Version {0} is available.', update)
      }
    </span>
    <label>
      ${l10n.t('Version')}
      <select aria-label=${l10n.t('Version of {0}', name)} @change=${select}>
        ${versions.map(
          version =>
            html`<option value=${version} ?selected=${version === current}>${version}</option>`,
        )}
      </select>
    </label>
    <label>
      <input
        type="checkbox"
        aria-label=${l10n.t('Keep the version of {0}', name)}
        .checked=${isPinned}
        @change=${() => send({ type: 'pin', id, pinned: !isPinned })}
      />
      ${l10n.t('Keep this version')}
    </label>
    ${nativeButton({
      label: l10n.t('Start chat'),
      name: l10n.t('Start chat with {0}', name),
      kind: 'primary',
      onClick: () => send({ type: 'start', id }),
    })}
    ${nativeButton({
      label: l10n.t('Uninstall'),
      name: l10n.t('Uninstall {0}', name),
      onClick: () => send({ type: 'uninstall', id }),
    })}
  </div>`;
}

function progress(
  { id, name }: BrowseAgent,
  { text, fraction }: NonNullable<BrowseAgent['busy']>,
  send: Send,
): TemplateResult {
  return html`<div class="tools" role="status">
    <span>${text}</span>
    ${
      fraction === undefined
        ? html`<progress aria-label=${text}></progress>`
        : html`<progress aria-label=${text} value=${fraction}></progress>`
    }
    ${nativeButton({
      label: l10n.t('Cancel'),
      name: l10n.t('Cancel the installation of {0}', name),
      onClick: () => send({ type: 'cancel', id }),
    })}
  </div>`;
}
