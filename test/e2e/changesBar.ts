/** What is pending, as the panel shows it. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from '../workbench/eventually';
import type { ParleyPanel } from './parleyPanel';

export class ChangesBar {
  constructor(private readonly panel: ParleyPanel) {}

  get region(): Locator {
    return this.panel.frame.getByRole('region', { name: 'Changes' });
  }

  get rows(): Locator {
    return this.region.getByRole('listitem');
  }

  button(name: string): Locator {
    return this.region.getByRole('button', { name, exact: true });
  }

  /** Resolves when so many files are pending; their rows are open then. */
  async files(count: number, timeout = 15_000): Promise<void> {
    const title = count === 1 ? /^1 file\b/ : new RegExp(`^${count} files\\b`);
    const turner = this.region.getByRole('button', { name: title });
    await turner.waitFor({ timeout });
    if ((await turner.getAttribute('aria-expanded')) === 'false') await turner.click();
    await eventually('each has a row', async () => (await this.rows.count()) === count);
  }

  /** Each pending file with what happened to it and how many lines, as screen readers hear it. */
  async list(): Promise<readonly string[]> {
    const names = this.rows.locator('.name');
    const texts = await names.evaluateAll(elements =>
      elements.map(element => (element.textContent ?? '').replace(/\s+/g, ' ').trim()),
    );
    assert.ok(texts.length > 0);
    return texts;
  }

  /** The names of the pending files: those of agents, and those that changed while agents worked. Opens the rows. */
  async groups(): Promise<{ readonly agents: string[]; readonly unclaimed: string[] }> {
    const turner = this.region.locator('.turner[aria-expanded="false"]');
    if (await turner.isVisible()) await turner.click();
    return this.region.evaluateAll(regions => {
      const groups = { agents: [] as string[], unclaimed: [] as string[] };
      let names = groups.agents;
      for (const row of regions[0]?.querySelectorAll('.files > li') ?? []) {
        if (row.classList.contains('while')) names = groups.unclaimed;
        else names.push(row.querySelector('.name .cut')?.textContent ?? '');
      }
      return groups;
    });
  }

  async gone(): Promise<void> {
    await this.region.waitFor({ state: 'hidden' });
  }
}
