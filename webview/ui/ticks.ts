import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Renders an element again once a second while `active` says so; otherwise no timer runs. */
export class Ticks implements ReactiveController {
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly active: () => boolean,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    if (!this.active()) this.stop();
    else this.timer ??= setInterval(() => this.host.requestUpdate(), 1000);
  }

  hostDisconnected(): void {
    this.stop();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
