import type { SessionController } from '../../../src/session/lifecycle/sessionController';

/** Clicks the first option of that id in the request, as it is shown now. */
export function choose(
  controller: SessionController,
  requestId: string | undefined,
  optionId: string,
): boolean {
  const request = controller.store.state.permissions.find(({ id }) => id === requestId);
  const option = request?.options.findIndex(other => other.optionId === optionId) ?? -1;
  if (!request) return false;
  return controller.answerPermission({ requestId: request.id, revision: request.revision, option });
}
