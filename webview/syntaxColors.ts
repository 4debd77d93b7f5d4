import { quietOf } from './theme';
import { cssColor, lifted, over, parseColor, type Rgb, type Rgba } from './ui/contrast';

/** The kinds of words in code, by the colors of the theme: the only ones for code that a webview is given. */
const KINDS = {
  keyword: '--vscode-debugTokenExpression-name',
  string: '--vscode-debugTokenExpression-string',
  number: '--vscode-debugTokenExpression-number',
  comment: '--vscode-descriptionForeground',
};

/** What colors the ground under a line of a diff. */
const LINES = {
  '': undefined,
  '-added': '--vscode-diffEditor-insertedLineBackground',
  '-removed': '--vscode-diffEditor-removedLineBackground',
};

/** Sets the colors of code, for each ground that it stands on one that can be read there. */
export function setSyntaxColors(): void {
  const { body, documentElement } = document;
  const style = getComputedStyle(documentElement);
  const color = (name: string): Rgba | undefined => parseColor(style.getPropertyValue(name));
  const surfaces = [
    parseColor(getComputedStyle(body).backgroundColor),
    color('--vscode-editor-background'),
  ].filter(surface => surface !== undefined);
  const block = color('--vscode-textCodeBlock-background');
  const grounds = block ? [...surfaces, ...surfaces.map(ground => over(block, ground))] : surfaces;
  const isFlat = body.hasAttribute('data-flat-description');
  for (const [kind, name] of Object.entries(KINDS)) {
    for (const [suffix, line] of Object.entries(LINES)) {
      const ground = line && color(line);
      const under = ground ? grounds.map(surface => over(ground, surface)) : grounds;
      const given = color(name);
      const wanted = given && (kind === 'comment' && isFlat ? quiet(given, under) : given);
      body.style.setProperty(
        `--code-${kind}${suffix}`,
        wanted && under.length > 0 ? cssColor(lifted(wanted, ...under)) : null,
      );
    }
  }
}

function quiet(text: Rgb, [ground = text]: readonly Rgb[]): Rgb {
  return quietOf(text, ground);
}
