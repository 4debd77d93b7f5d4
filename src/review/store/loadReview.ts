import { inParallel } from '../../base/inParallel';
import { sameContent } from '../core/lines';
import type { EditorFiles } from '../checkpoints/ports';
import type { ReviewService } from '../reviewService';
import type { ReviewStorage } from './storage';
import type { Tracker } from '../checkpoints/tracker';

export interface LoadParts {
  readonly storage: ReviewStorage;
  readonly review: ReviewService;
  readonly files: Pick<EditorFiles, 'read' | 'unsaved'>;
  readonly tracker: Tracker;
}

/** Loads what an earlier window stored, and what others add. Nothing else may be found out before. */
export function loadReview({ storage, review, files, tracker }: LoadParts): Promise<void> {
  // What has become of it since the other window wrote it is found out as ever.
  storage.onDidTakeUp(paths => {
    void tracker.start();
    for (const path of paths) {
      const text = files.unsaved(path);
      if (text !== undefined) review.userChanged(path, { kind: 'text', text });
      tracker.touch(path);
    }
  });
  return tracker.exclusively(async () => {
    const heads = await storage.load();
    await tracker.committedSince(heads);
    // What changed while no window was open is the user's doing.
    await review.together(() =>
      inParallel([...review.state.files], async ([path, { current }]) => {
        const now = await files.read(path);
        if (!sameContent(now, current)) review.userChanged(path, now);
        await tracker.seen(path);
      }),
    );
    if (review.state.files.size > 0) void tracker.start();
  });
}
