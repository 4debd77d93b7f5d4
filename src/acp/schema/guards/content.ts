import type * as schema from '../schema';
import {
  isObject,
  list,
  name,
  nullable,
  number,
  shape,
  string,
  tagged,
  withDefault,
  type Guard,
} from './primitives';

const annotations = shape<schema.Annotations>(
  {},
  { audience: list(name), lastModified: string, priority: number },
);

const resourceContents: Guard<schema.EmbeddedResourceResource> = value => {
  if (!isObject(value)) return undefined;
  const kind = typeof value['text'] === 'string' ? textResource : blobResource;
  return kind(value);
};

const textResource = shape<schema.TextResourceContents>(
  { text: string, uri: withDefault(string, '') },
  { mimeType: string },
);

const blobResource = shape<schema.BlobResourceContents>(
  { blob: string, uri: withDefault(string, '') },
  { mimeType: string },
);

/** A block of a prompt or reply. Unknown types pass. */
export const contentBlock = tagged<schema.ContentBlock>('type', {
  text: shape<schema.TextContent>({ text: string }, { annotations }),
  image: shape<schema.ImageContent>(
    { data: name, mimeType: withDefault(name, 'image/png') },
    { annotations, uri: string },
  ),
  audio: shape<schema.AudioContent>(
    { data: name, mimeType: withDefault(name, 'audio/wav') },
    { annotations },
  ),
  resource_link: named(
    shape<schema.ResourceLink>(
      { uri: name, name },
      { annotations, description: string, mimeType: string, size: number, title: string },
    ),
  ),
  resource: shape<schema.EmbeddedResource>({ resource: resourceContents }, { annotations }),
});

/** A link is called by its address if it has no name. */
function named<T>(guard: Guard<T>): Guard<T> {
  return value =>
    guard(isObject(value) && !name(value['name']) ? { ...value, name: value['uri'] } : value);
}

const diff = shape<schema.Diff>({ path: name, newText: string }, { oldText: nullable(string) });
const terminal = shape<schema.Terminal>({ terminalId: name });
const wrapped = shape<schema.Content>({ content: contentBlock });

/** Content of a tool call; unknown types pass. */
export const toolCallContent = tagged<schema.ToolCallContent>('type', {
  content: wrapped,
  diff,
  terminal,
});
