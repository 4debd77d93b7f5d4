import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import { dateText } from '../../src/base/language';
import type { BrowseIntent, BrowseState } from '../../src/shared/browsePage';
import { daysBetween, whenText } from '../ui/time';
import { browseEntry } from './browseEntry';
import { nativeButton } from './nativeButton';
import { PageElement } from './pageElement';

/** "Browse Agents": the agents of the registry, and what can be done with each. */
@customElement('parley-browse')
export class BrowseElement extends PageElement<BrowseState, BrowseIntent> {
  @state() private query = '';

  protected override render() {
    const { state } = this;
    if (!state) return nothing;
    return html`<main aria-label=${l10n.t('Browse Agents')}>
      <header>
        <h1>${l10n.t('Browse Agents')}</h1>
        <p class="quiet">
          ${l10n.t(
            'Agents are programs that run with your permissions. Each entry shows what is downloaded and run.',
          )}
        </p>
      </header>
      ${this.body(state)}
    </main>`;
  }

  private body(state: BrowseState): TemplateResult {
    switch (state.state) {
      case 'untrusted':
        return html`<p role="status">
          ${l10n.t('This workspace is not trusted, so nothing is downloaded or installed.')}
        </p>`;
      case 'off':
        return html`<p role="status">
            ${l10n.t('There is no list because the setting parley.registry.url is empty or not valid.')}
          </p>
          ${nativeButton({
            label: l10n.t('Open Settings'),
            kind: 'primary',
            onClick: () => this.send({ type: 'openSettings' }),
          })}`;
      case 'loading':
      case 'ready':
        return this.list(state);
    }
  }

  private list(state: BrowseState): TemplateResult {
    if (state.fetchedAt === undefined) return this.withoutList(state);
    const words = this.query.toLowerCase().split(/\s+/);
    const shown = state.agents.filter(agent => {
      const text = `${agent.name} ${agent.id} ${agent.description} ${agent.authors}`.toLowerCase();
      return words.every(word => text.includes(word));
    });
    // Those that are here come first; otherwise the list's order stands.
    const sorted = [...shown].sort((a, b) => Number(!!b.installed) - Number(!!a.installed));
    return html`<div class="tools">
        <input
          type="search"
          aria-label=${l10n.t('Search agents')}
          placeholder=${l10n.t('Search agents')}
          .value=${this.query}
          @input=${(event: Event) => (this.query = (event.target as HTMLInputElement).value)}
        />
        ${this.fetchButton(state)}
      </div>
      <p class=${state.problem === undefined ? 'hint' : 'bad'} role="status">
        ${this.status(state, state.fetchedAt, shown.length)}
      </p>
      <ul class="agents">
        ${repeat(
          sorted,
          ({ id }) => id,
          agent => browseEntry(agent, intent => this.send(intent)),
        )}
      </ul>`;
  }

  /** There is no list yet, or none can be had. */
  private withoutList(state: BrowseState): TemplateResult {
    const { problem } = state;
    if (problem === undefined) return html`<p class="hint" role="status">${fetching(state)}</p>`;
    return html`<section role="status">
        <h2>${l10n.t('The list cannot be shown')}</h2>
        <p class="bad">${state.state === 'loading' ? fetching(state) : problem}</p>
        <p>
          ${l10n.t('Agents that are installed or found on this machine can be used without it.')}
        </p>
      </section>
      <div class="tools">${this.fetchButton(state)}</div>`;
  }

  private fetchButton({ state, problem }: BrowseState): TemplateResult {
    return nativeButton({
      ...(problem === undefined
        ? { label: l10n.t('Refresh') }
        : { label: l10n.t('Try Again'), kind: 'primary' }),
      disabled: state === 'loading',
      onClick: () => this.send({ type: 'refresh' }),
    });
  }

  private status(state: BrowseState, fetchedAt: number, count: number): string {
    const { problem, source } = state;
    const day = date(fetchedAt);
    return [
      ...(problem === undefined ? [] : [problem]),
      ...(state.state === 'loading' ? [fetching(state)] : []),
      problem === undefined
        ? l10n.t('{0} agents from {1}, as of {2}.', count, source, day)
        : l10n.t('{0} agents from {1}, as of {2} ({3}).', count, source, day, age(fetchedAt)),
    ].join(' ');
  }
}

function fetching({ source }: BrowseState): string {
  return l10n.t('Fetching the list from {0}…', source);
}

function age(time: number): string {
  const days = daysBetween(time, Date.now());
  return days > 1 ? l10n.t('{0} days ago', days) : whenText(time, Date.now());
}

function date(time: number): string {
  return dateText(time, { dateStyle: 'medium', timeStyle: 'short' });
}
