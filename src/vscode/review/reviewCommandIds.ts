/** The review's commands in the manifest; a test holds both lists together. */
export const REVIEW_COMMANDS = [
  'parley.reviewChanges',
  'parley.openChanges',
  'parley.nextChange',
  'parley.previousChange',
  'parley.keepChange',
  'parley.undoChange',
  'parley.keepAndGoOn',
  'parley.undoAndGoOn',
  'parley.keepFile',
  'parley.undoFile',
  'parley.notTheAgents',
  'parley.keepAll',
  'parley.undoAll',
  'parley.redoChange',
  'parley.commentOnChange',
  'parley.sendComments',
  'parley.saveComment',
  'parley.cancelComment',
  'parley.editComment',
  'parley.deleteComment',
] as const;

export type ReviewCommandId = (typeof REVIEW_COMMANDS)[number];
