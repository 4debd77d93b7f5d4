import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../workbench/eventually';
import type { SessionState } from '../../src/session/state/state';
import type { Intent } from '../../src/shared/intents';
import { withPanel, type Panel } from './harness';
import { PANEL, told } from './states';
import { AGENT, CAPABILITIES, T0, connected, ended } from './story';

const ready = told(...connected());
const blind = told(...connected(), {
  type: 'agentIdentified',
  capabilities: { ...CAPABILITIES, image: false },
});

async function withChat(session: SessionState, run: (panel: Panel) => Promise<void>) {
  await withPanel({ width: 289 }, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(session, T0 + 42_000);
    await panel.message.focus();
    await run(panel);
  });
}

/** A picture of that size, drawn by the browser. Base64. */
function png({ page }: Panel, width: number, height: number): Promise<string> {
  return page.evaluate(
    ([w = 0, h = 0]) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [w, h];
      const pen = canvas.getContext('2d');
      if (!pen) throw new Error('no canvas');
      pen.fillStyle = '#c33';
      pen.fillRect(0, 0, w, h);
      pen.fillStyle = '#36c';
      pen.fillRect(w / 4, h / 4, w / 2, h / 2);
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    },
    [width, height],
  );
}

interface Dropped {
  readonly name: string;
  readonly type: string;
  /** Base64. */
  readonly data?: string;
  /** Instead, so many bytes. */
  readonly size?: number;
}

/** As a user drops files from the desktop. */
async function drop(panel: Panel, ...files: readonly Dropped[]): Promise<void> {
  await panel.message.evaluate((area, all) => {
    const data = new DataTransfer();
    for (const { name, type, data: base64 = '', size = 0 } of all) {
      const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
      data.items.add(new File([size > 0 ? new Uint8Array(size) : bytes], name, { type }));
    }
    area.dispatchEvent(
      new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
    );
  }, files);
}

const attached = async (panel: Panel) =>
  (await panel.intents()).filter(
    (intent): intent is Extract<Intent, { type: 'attachImage' }> => intent.type === 'attachImage',
  );

describe('an image is attached', () => {
  test('by pasting it', async () => {
    await withChat(ready, async panel => {
      await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const data = await png(panel, 640, 360);
      await panel.page.evaluate(async base64 => {
        const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
        const blob = new Blob([bytes], { type: 'image/png' });
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      }, data);
      await panel.message.press('ControlOrMeta+v');
      const image = await panel.waitForIntent('attachImage');
      assert.equal(image.name, 'Pasted image');
      assert.equal(image.mimeType, 'image/png');
      assert.deepEqual([image.width, image.height], [640, 360]);
      assert.match(image.thumbnail, /^data:image\/(?:webp|png);base64,/);
      assert.ok(image.thumbnail.length < 8_192, 'the state of the chat stays small');
    });
  });

  test('by picking it, as often as one likes', async () => {
    await withChat(ready, async panel => {
      const buffer = Buffer.from(await png(panel, 40, 30), 'base64');
      for (let times = 1; times <= 2; times += 1) {
        const chooser = panel.page.waitForEvent('filechooser');
        await panel.page.getByRole('button', { name: 'Attach Images' }).click();
        await (await chooser).setFiles([{ name: 'shot.png', mimeType: 'image/png', buffer }]);
        await eventually('it is attached', async () => (await attached(panel)).length === times);
      }
      const [image] = await attached(panel);
      assert.equal(image?.name, 'shot.png');
      assert.equal(image?.data, buffer.toString('base64'));
    });
  });

  test('by dropping it; what cannot go along is refused with the reason, and the rest goes', async () => {
    await withChat(ready, async panel => {
      const good = { name: 'good.png', type: 'image/png', data: await png(panel, 8, 8) };
      await drop(
        panel,
        good,
        { name: 'notes.txt', type: 'text/plain', size: 3 },
        { name: 'drawing.tiff', type: 'image/tiff', size: 3 },
        { name: 'huge.png', type: 'image/png', size: 11 * 1024 * 1024 },
        { name: 'broken.png', type: 'image/png', size: 3 },
      );
      const refusal = panel.page.locator('.refusal[role="alert"]');
      await refusal.waitFor();
      assert.equal(
        (await refusal.innerText()).trim(),
        [
          'notes.txt is not an image. Use Add Context for other files.',
          'drawing.tiff: only PNG, JPEG, GIF and WebP images can be attached.',
          'huge.png is too large: 11 MB. Images may have up to 10 MB.',
          'broken.png cannot be read as an image.',
        ].join(' '),
      );
      assert.deepEqual(
        (await attached(panel)).map(({ name }) => name),
        ['good.png'],
      );
    });
  });
});

describe('an agent that takes no images', () => {
  test('refuses them in words, and offers no button for them', async () => {
    await withChat(blind, async panel => {
      assert.equal(await panel.page.getByRole('button', { name: 'Attach Images' }).count(), 0);
      await drop(panel, { name: 'good.png', type: 'image/png', data: await png(panel, 8, 8) });
      await panel.page.getByText(`${AGENT} does not accept images.`).waitFor();
      assert.deepEqual(await panel.intents(), []);
    });
  });

  test('is not sent one that was attached while it started', async () => {
    await withChat({ ...blind, connection: { kind: 'stopped' } }, async panel => {
      await drop(panel, { name: 'good.png', type: 'image/png', data: await png(panel, 8, 8) });
      const { name, width, height, thumbnail, mimeType } = await panel.waitForIntent('attachImage');
      const picture = { width, height, thumbnail };
      const image = {
        id: 'i1',
        kind: 'image',
        label: name,
        title: name,
        mimeType,
        picture,
      } as const;
      await panel.actions([
        { type: 'attachmentAdded', attachment: image },
        { type: 'connectionChanged', connection: { kind: 'ready' } },
      ]);
      await panel.message.focus();
      await panel.page.keyboard.type('like this');
      await panel.page.keyboard.press('Enter');
      await panel.page
        .getByText(`${AGENT} does not accept images. Remove the image to send the message.`)
        .waitFor();
      assert.equal(await panel.message.inputValue(), 'like this');
      await panel.actions([{ type: 'attachmentRemoved', attachmentId: 'i1' }]);
      await panel.message.press('Enter');
      assert.equal((await panel.waitForIntent('send')).text, 'like this');
    });
  });
});

describe('an attached image', () => {
  /** A message that is written with an image, below a turn whose prompt has one. */
  async function withImage(run: (panel: Panel, data: string) => Promise<void>): Promise<void> {
    await withChat(ready, async panel => {
      const data = await png(panel, 800, 600);
      const image = (id: string) =>
        ({
          id,
          kind: 'image',
          label: 'Pasted image',
          title: 'Pasted image, 800 × 600, 184 KB',
          mimeType: 'image/png',
          picture: { width: 800, height: 600, thumbnail: `data:image/png;base64,${data}` },
        }) as const;
      await panel.actions([
        {
          type: 'turnStarted',
          turnId: 't1',
          prompt: { id: 'p1', text: 'like this', attachments: [image('i1')] },
          at: T0,
        },
        ...ended(),
        { type: 'attachmentAdded', attachment: image('i2') },
      ]);
      await run(panel, data);
    });
  }

  const dialog = ({ page }: Panel) =>
    page.getByRole('dialog', { name: /^Pasted image, 800 × 600/ });

  test('has itself as its sign, and says how large it is', async () => {
    await withImage(async panel => {
      const chip = panel.page.getByRole('list', { name: 'Attached context' }).getByRole('listitem');
      assert.equal(await chip.getAttribute('title'), 'Pasted image, 800 × 600, 184 KB');
      const thumbs = panel.page.locator('img.thumb');
      assert.equal(await thumbs.count(), 2);
      assert.ok(
        await thumbs.evaluateAll(all =>
          all.every(img => (img as HTMLImageElement).naturalWidth > 0),
        ),
      );
    });
  });

  test('of the workspace has itself as its sign too', async () => {
    await withImage(async (panel, data) => {
      const file = {
        id: 'file',
        kind: 'file' as const,
        label: 'logo.png',
        title: 'media/logo.png',
        uri: 'file:///work/media/logo.png',
      };
      await panel.actions([{ type: 'attachmentAdded', attachment: file }]);
      const asked = await panel.answerQuery('image', () => ({ data }));
      assert.equal(asked.attachmentId, 'file');
      const chip = panel.page.getByRole('listitem').filter({ hasText: 'logo.png' });
      await eventually('it is drawn', () =>
        chip
          .locator('img.thumb')
          .evaluateAll(([img]) => img instanceof HTMLImageElement && img.naturalWidth > 0),
      );
    });
  });

  test('is shown large, and the focus goes back to where it was', async () => {
    await withImage(async (panel, data) => {
      const opener = panel.page
        .getByRole('list', { name: 'Attached context' })
        .getByRole('button', { name: 'Pasted image', exact: true });
      await opener.focus();
      await panel.page.keyboard.press('Enter');
      await dialog(panel).waitFor();
      const asked = await panel.answerQuery('image', () => ({ data }));
      assert.equal(asked.attachmentId, 'i2');
      const shown = dialog(panel).getByRole('img', { name: 'Pasted image' });
      await shown.waitFor();
      const box = await shown.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 289, JSON.stringify(box));
      await panel.page.keyboard.press('Escape');
      await dialog(panel).waitFor({ state: 'detached' });
      assert.ok(await opener.evaluate(button => button === document.activeElement));
      assert.deepEqual(await panel.intents(), [], 'Esc has stopped nothing');
    });
  });

  test('also of a prompt; where the opener is gone, the caret is in the message box', async () => {
    await withImage(async panel => {
      await panel.page
        .getByRole('article', { name: 'like this' })
        .getByRole('button', { name: 'Pasted image' })
        .click();
      await dialog(panel).waitFor();
      await panel.answerQuery('image', () => ({}));
      await dialog(panel).getByText('The image is no longer available.').waitFor();
      await panel.actions([{ type: 'transcriptRewound', turnId: 't1' }]);
      await dialog(panel).getByRole('button', { name: 'Close' }).click();
      await dialog(panel).waitFor({ state: 'detached' });
      await eventually('the caret is in the message box', () =>
        panel.message.evaluate(area => area === document.activeElement),
      );
    });
  });

  test('does not hold the focus that the user wants elsewhere', async () => {
    await withImage(async (panel, data) => {
      await panel.page
        .getByRole('article', { name: 'like this' })
        .getByRole('button', { name: 'Pasted image' })
        .click();
      await dialog(panel).waitFor();
      await panel.answerQuery('image', () => ({ data }));
      await panel.post({ type: 'focusComposer' });
      await dialog(panel).waitFor({ state: 'detached' });
      await eventually('the caret is in the message box', () =>
        panel.message.evaluate(area => area === document.activeElement),
      );
    });
  });
});
