import type { ContextAttachments } from '../context/contextAttachments';
import type { Candidate } from './candidate';

/** A web page whose address was typed; undefined for any other text. */
export function linkMention(text: string, attachments: ContextAttachments): Candidate | undefined {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined;
  const { host, href } = new URL(text);
  return {
    icon: 'link',
    name: text,
    hits: [],
    detail: host,
    mention: `@${text}`,
    attachment: () => attachments.of({ kind: 'link', label: host, title: href, uri: href }),
  };
}
