import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import * as l10n from '@vscode/l10n';
import type { DoctorIntent, DoctorState, Finding, Fix } from '../../src/shared/doctorPage';
import { icon } from '../ui/icon';
import { nativeButton } from './nativeButton';
import { PageElement } from './pageElement';

/** "Doctor": what was looked at, what was found, and what can be done about it. */
@customElement('parley-doctor')
export class DoctorElement extends PageElement<DoctorState, DoctorIntent> {
  protected override render() {
    const { state } = this;
    if (!state) return nothing;
    const { isRunning, sections } = state;
    const problems = sections.flatMap(({ findings }) => findings).filter(isProblem).length;
    return html`<main aria-label=${l10n.t('Parley Doctor')}>
      <h1>${l10n.t('Parley Doctor')}</h1>
      <div class="tools">
        <p role="status" class="grow">
          ${
            isRunning
              ? l10n.t('Checking… Agents are started to see if they answer.')
              : problems === 0
                ? l10n.t('No problems were found.')
                : l10n.t('Problems found: {0}.', problems)
          }
        </p>
        ${nativeButton({
          label: l10n.t('Run Again'),
          disabled: isRunning,
          onClick: () => this.send({ type: 'again' }),
        })}
        ${nativeButton({
          label: l10n.t('Copy Report'),
          kind: 'primary',
          disabled: isRunning,
          onClick: () => this.send({ type: 'copy' }),
        })}
      </div>
      ${sections.map(
        ({ title, findings }) =>
          html`<section aria-label=${title}>
            <h2>${title}</h2>
            <ul class="findings">
              ${findings.map(finding => this.row(finding))}
            </ul>
          </section>`,
      )}
    </main>`;
  }

  private row({ level, title, detail, fix }: Finding): TemplateResult {
    return html`<li>
      ${sign(level)}
      <div class="grow">
        <p>${title}</p>
        ${
          detail === undefined
            ? nothing
            : detail.includes('\n')
              ? html`<details>
                  <summary>${l10n.t('Details')}</summary>
                  <pre class="mono">${detail}</pre>
                </details>`
              : html`<p class="hint mono">${detail}</p>`
        }
      </div>
      ${
        fix === undefined
          ? nothing
          : nativeButton({
              label: fixLabel(fix),
              onClick: () => this.send({ type: 'fix', fix }),
            })
      }
    </li>`;
  }
}

function isProblem({ level }: Finding): boolean {
  return level === 'problem';
}

function sign(level: Finding['level']): TemplateResult {
  switch (level) {
    case 'ok':
      return html`${icon('check', { tone: 'ok' })}<span class="vh">${l10n.t('Good:')}</span>`;
    case 'note':
      return html`${icon('info')}<span class="vh">${l10n.t('Note:')}</span>`;
    case 'problem':
      return html`${icon('error', { tone: 'bad' })}<span class="vh">${l10n.t('Problem:')}</span>`;
  }
}

function fixLabel(fix: Fix): string {
  switch (fix) {
    case 'editAgents':
      return l10n.t('Edit Agents');
    case 'browseAgents':
      return l10n.t('Browse Agents');
    case 'endProcesses':
      return l10n.t('End Them');
    case 'proxySettings':
      return l10n.t('Open Settings');
    case 'trust':
      return l10n.t('Manage Trust');
    case 'showLog':
      return l10n.t('Show Log');
    case 'getNode':
      return l10n.t('Get Node.js');
    case 'getUv':
      return l10n.t('Get uv');
    case 'getGit':
      return l10n.t('Get git');
    case 'openTerminal':
      return l10n.t('Open Terminal');
  }
}
