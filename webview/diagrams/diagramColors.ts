/** What Mermaid's theme `base` takes, by its names. */
export type DiagramColors = Readonly<Record<string, string | boolean>> & {
  readonly background: string;
};

/** What tells slices, branches and sections apart: the editor's colors of charts, and what they are where it gives none. */
const SERIES = [
  ['blue', '#3794ff'],
  ['green', '#89d185'],
  ['orange', '#d18616'],
  ['purple', '#b180d7'],
  ['yellow', '#cca700'],
  ['red', '#f14c4c'],
] as const;

/** How many of each Mermaid asks for. */
const SERIES_NAMES = [
  { name: 'pie', first: 1, count: 12 },
  { name: 'git', first: 0, count: 8 },
  { name: 'cScale', first: 0, count: 12 },
  { name: 'fillType', first: 0, count: 8 },
];

/** So much of a color that the theme's text can be read on it. */
const TINT = 0.35;

/** Taken from the theme of the editor. */
export function diagramColors(): DiagramColors {
  const { classList } = document.body;
  const isLight =
    classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
  const isPlain = classList.contains('vscode-high-contrast');
  const background = color('editor-background', isLight ? '#ffffff' : '#1e1e1e');
  const on = (name: string, otherwise: string, share = 1) =>
    color(name, otherwise, background, share);
  const text = on('foreground', isLight ? '#333333' : '#cccccc');
  const box = isPlain ? background : on('textCodeBlock-background', background);
  const quiet = on('descriptionForeground', text);
  const line = isPlain ? text : quiet;
  const border = isPlain ? on('contrastBorder', text) : quiet;
  const boxes = { primary: box, secondary: box, tertiary: background };
  return {
    darkMode: !isLight,
    background,
    ...Object.fromEntries(
      Object.entries(boxes).flatMap(([name, value]) => [
        [`${name}Color`, value],
        [`${name}TextColor`, text],
        [`${name}BorderColor`, border],
      ]),
    ),
    lineColor: line,
    textColor: text,
    noteBkgColor: box,
    noteTextColor: text,
    noteBorderColor: border,
    edgeLabelBackground: background,
    rowOdd: background,
    rowEven: box,
    ...charts(text, line, on),
  };
}

function charts(
  text: string,
  line: string,
  on: (name: string, otherwise: string, share?: number) => string,
): Record<string, string> {
  const tints = SERIES.map(([name, otherwise]) => on(`charts-${name}`, otherwise, TINT));
  const series = SERIES_NAMES.flatMap(({ name, first, count }) =>
    Array.from({ length: count }, (_, index) => [
      `${name}${first + index}`,
      tints[index % tints.length] ?? text,
    ]),
  );
  const [blue = text, , , , , red = text] = SERIES.map(([name, otherwise]) =>
    on(`charts-${name}`, otherwise),
  );
  const [active = text, , , , , critical = text] = tints;
  return {
    ...(Object.fromEntries(series) as Record<string, string>),
    branchLabelColor: text,
    pieOpacity: '1',
    pieStrokeColor: line,
    pieOuterStrokeColor: line,
    pieTitleTextSize: '16px',
    pieSectionTextSize: '14px',
    pieLegendTextSize: '14px',
    gridColor: line,
    todayLineColor: red,
    critBkgColor: critical,
    critBorderColor: red,
    activeTaskBkgColor: active,
    activeTaskBorderColor: blue,
    doneTaskBkgColor: on('descriptionForeground', text, 0.25),
    doneTaskBorderColor: line,
  };
}

let brush: CanvasRenderingContext2D | null | undefined;

/**
 * As numbers: what the editor gives may be of any notation, and see through.
 * @param name of the editor's color
 * @param ground what is seen through it
 * @param share how much of it there is, up to 1
 */
function color(name: string, otherwise: string, ground?: string, share = 1): string {
  brush ??= createBrush();
  if (!brush) return otherwise;
  const given = getComputedStyle(document.documentElement).getPropertyValue(`--vscode-${name}`);
  const layers: [string, number][] = [[given.trim() || otherwise, share]];
  if (ground !== undefined) layers.unshift([ground, 1]);
  brush.clearRect(0, 0, 1, 1);
  for (const [value, alpha] of layers) {
    brush.globalAlpha = alpha;
    brush.fillStyle = value;
    brush.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = brush.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map(each => each.toString(16).padStart(2, '0')).join('')}`;
}

function createBrush(): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  return canvas.getContext('2d', { willReadFrequently: true });
}
